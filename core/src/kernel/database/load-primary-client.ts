import type { primaryClient } from './postgres-hosts.ts';

/** See `primaryClient`, which this loads. */
export async function loadPrimaryClient(
  addresses: readonly string[],
): Promise<ReturnType<typeof primaryClient>> {
  const hosts = await import('./postgres-hosts.ts');
  return hosts.primaryClient(addresses);
}
