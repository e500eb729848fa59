import type { PGlite } from '@electric-sql/pglite';
import type { Logger } from '../runtime/runtime.ts';
import { GO_THROUGH_LOG } from './data-folder/empty-log.ts';

const INTERVAL_MS = 1_000;
/** Intervals from one run to the next, where the database does not grow quickly. */
const RESTING = 30;
/** Writes since the last run at least from which on it may. */
const LEAST_WRITES = 10;
// A start reads so much of the log at most, in about a second.
const LOG_BYTES = 64 * 1024 * 1024;

/** Runs left out at most, where nothing is written. */
const MOST_LEFT_OUT = 9;

/**
 * Does the work of autovacuum and of the checkpointer, which PGlite lacks: without them statistics stay empty, plans are
 * poor, and dead rows and the write-ahead log pile up. Handles the tables that autovacuum's own thresholds select.
 *
 * It runs each half minute, and as soon as there are twice as many writes as when it ran last: a new database would be searched
 * by plans that were made while its tables were empty.
 *
 * @param writes How often a tenant's data was written: while it stays the same, most runs are left out.
 * @returns a function that ends the maintenance; it resolves when a run in progress is done.
 */
export function startMaintenance(
  client: PGlite,
  writes: () => number,
  logger: Logger,
): () => Promise<unknown> {
  let run: Promise<unknown> = Promise.resolve();
  const first = writes();
  let seen = first;
  let rested = 0;
  let leftOut = 0;
  const timer = setInterval(() => {
    rested += 1;
    const written = writes() - seen;
    const isGrowing = written >= Math.max(LEAST_WRITES, seen - first);
    if (!isGrowing && rested < RESTING) return;
    rested = 0;
    if (written === 0 && leftOut < MOST_LEFT_OUT) {
      leftOut += 1;
      return;
    }
    seen += written;
    leftOut = 0;
    run = run
      .then(() => runMaintenance(client))
      .catch((error: unknown) =>
        logger.warn({ err: error }, 'the maintenance of the database failed; it is tried again'),
      );
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return run;
  };
}

/** Vacuums tables with many dead rows, and analyzes those with many changed rows. Returns their names. */
export async function runMaintenance(client: PGlite): Promise<string[]> {
  // Counts of changes reach the statistics with a delay, unless they are flushed.
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string; dead: boolean }>(`
    SELECT quote_ident(relname) AS name, n_dead_tup > 50 + 0.2 * n_live_tup AS dead FROM pg_stat_user_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup`);
  for (const { name, dead } of rows) {
    // Two statements, so that other work may run in between.
    if (dead) await client.exec(`VACUUM ${name}`);
    await client.exec(`ANALYZE ${name}`);
  }
  await limitLog(client);
  return rows.map(({ name }) => name);
}

/** Writes all tables anew, and empties the write-ahead log of what was deleted. */
export async function vacuumPglite(client: PGlite): Promise<void> {
  await writeTablesAnew((statement) => client.exec(statement));
  await client.exec('SET wal_recycle = off');
  await client.exec(GO_THROUGH_LOG);
  await client.exec('RESET wal_recycle');
}

/**
 * Of a table without rows ANALYZE keeps the statistics from when it had some. What drops them, also for an owner who is no
 * superuser, is to give a column the type that it has, which writes no row anew. Policies depend on the type of `tenant_id`, which
 * holds random ids.
 */
const DROP_STATISTICS_OF_EMPTY_TABLES = `DO $$ DECLARE alteration text; BEGIN
  FOR alteration IN
    SELECT format('ALTER TABLE %s %s', c.oid::regclass,
      string_agg(format('ALTER COLUMN %I TYPE %s', attname, format_type(atttypid, atttypmod)), ', '))
    FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped
    WHERE relkind = 'r' AND reltuples <= 0 AND relnamespace = 'public'::regnamespace AND attname <> 'tenant_id'
    GROUP BY c.oid
  LOOP
    EXECUTE alteration;
  END LOOP;
END $$`;

/** Makes a checkpoint when the write-ahead log since the last one has grown long. */
async function limitLog(client: PGlite): Promise<void> {
  const { rows } = await client.query<{ long: boolean }>(
    `SELECT pg_current_wal_lsn() - redo_lsn > ${LOG_BYTES} AS long FROM pg_control_checkpoint()`,
  );
  if (rows[0]?.long) await client.exec('CHECKPOINT');
}

/**
 * Writes all tables anew, without what was deleted from them.
 *
 * @param seenByNone Resolves when no transaction sees what was deleted until then; default: there is no other.
 */
export async function writeTablesAnew(
  run: (statement: string) => Promise<unknown>,
  seenByNone?: () => Promise<void>,
): Promise<void> {
  // Statistics hold values. They are made anew first, so that their old rows go with the others.
  await run('ANALYZE');
  await run(DROP_STATISTICS_OF_EMPTY_TABLES);
  await seenByNone?.();
  await run('VACUUM FULL');
}
