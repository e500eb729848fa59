import pg from 'pg';
import { connectionTo } from './postgres-hosts.ts';

const CONNECT_TIMEOUT_MS = 10_000;
const KEEP_ALIVE_AFTER_MS = 10_000;
// The longest that a timer takes: 24 days.
const UNLIMITED_MS = 2 ** 31 - 1;

interface PoolOptions {
  readonly size: number;
  /** Milliseconds after which a statement without an answer ends its connection; default none. */
  readonly answerWithinMs?: number;
}

/**
 * Opens a connection pool. Lost connections are replaced when the next one is needed.
 *
 * @param url May name several hosts: each connection goes to the first that accepts writes.
 */
export function openPool(url: string, { size, answerWithinMs }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    ...connectionTo(url),
    max: size,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: answerWithinMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    // Statements are sent before the results of earlier ones arrive; the server still runs them in order.
    pipeline: true,
  } as pg.PoolConfig);
  // Without a listener, the loss of a connection would end the process.
  pool.on('error', () => {});
  return pool;
}

/** Lends a client to `work`; rolls back what it left open when it throws. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    const answer = await work(client);
    client.release();
    return answer;
  } catch (error) {
    // A connection that cannot roll back is closed.
    const failure = await client.query('ROLLBACK').then(
      () => undefined,
      (reason: Error) => reason,
    );
    client.release(failure);
    throw error;
  }
}

/** Runs a statement that may take as long as it needs, as one that reads or writes a whole table. */
export function runUnlimited(
  connections: pg.Pool | pg.PoolClient,
  statement: pg.QueryConfig,
): Promise<pg.QueryResult> {
  const limit = { query_timeout: UNLIMITED_MS };
  return connections.query({ ...statement, ...limit });
}

/**
 * Runs a statement with at least this much `maintenance_work_mem`, and without parallel workers: they would share that
 * memory, and a container allows little shared memory.
 */
export async function withMaintenanceMemory(
  pool: pg.Pool,
  statement: string,
  mebibytes: number,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query(
      `SELECT set_config('maintenance_work_mem',
         greatest(pg_size_bytes(current_setting('maintenance_work_mem')) / 1024, $1::bigint * 1024) || 'kB', false),
       set_config('max_parallel_maintenance_workers', '0', false)`,
      [mebibytes],
    );
    await runUnlimited(client, { text: statement });
  } finally {
    // Closing the connection discards its settings.
    client.release(true);
  }
}
