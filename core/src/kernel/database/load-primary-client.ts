import type { primaryClient } from './postgres-hosts.ts';

/**
 * See `primaryClient`, which this loads. Apart from `openPostgres`, as its type is of `pg`, whose types those who import the package
 * need not have.
 */
export async function loadPrimaryClient(
  addresses: readonly string[],
): Promise<ReturnType<typeof primaryClient>> {
  const hosts = await import('./postgres-hosts.ts');
  return hosts.primaryClient(addresses);
}
