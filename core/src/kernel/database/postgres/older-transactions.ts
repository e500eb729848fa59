import { setTimeout } from 'node:timers/promises';
import { type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../../contract/errors.ts';

const PAUSE_MS = 50;
const MOST_MS = 60_000;

interface Transaction {
  readonly id: string;
  readonly pid: number;
}

/**
 * Waits until the transactions of this database that run now have ended, autovacuum's among them: what is deleted by now stays in
 * the files for as long as one of them may see it, also where a table is written anew. Those that others begin meanwhile see none
 * of it.
 *
 * @param run Runs a query on any connection of the database.
 * @throws SvcError `UNAVAILABLE` where one takes longer than a minute.
 */
export async function awaitOlderTransactions(
  run: (query: SQL) => Promise<readonly Transaction[]>,
): Promise<void> {
  let older = await run(runningTransactions());
  for (const end = Date.now() + MOST_MS; older.length > 0; ) {
    if (Date.now() > end) throw stillRunning(older);
    await setTimeout(PAUSE_MS);
    const running = new Set((await run(runningTransactions())).map(({ id }) => id));
    older = older.filter(({ id }) => running.has(id));
  }
}

/** Every role may see these: a running transaction holds a lock on its own number. */
function runningTransactions(): SQL {
  return sql`SELECT virtualxid AS id, pid FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'virtualxid' AND granted AND datname = current_database() AND pid <> pg_backend_pid()`;
}

function stillRunning(older: readonly Transaction[]): SvcError {
  const processes = [...new Set(older.map(({ pid }) => pid))].join(', ');
  return new SvcError(
    'UNAVAILABLE',
    `Transactions that began before still see what was deleted: processes ${processes} of the server. Wait until they end, or end them by pg_terminate_backend; then try again.`,
  );
}
