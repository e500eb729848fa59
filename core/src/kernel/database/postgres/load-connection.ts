import type { PostgresConnection } from './postgres-hosts.ts';

/**
 * See `connectionTo`, which this loads. Apart from `openPostgres`, as its type is of `pg`, whose types those who import the package
 * need not have.
 */
export async function loadConnection(url: string): Promise<PostgresConnection> {
  const hosts = await import('./postgres-hosts.ts');
  return hosts.connectionTo(url);
}
