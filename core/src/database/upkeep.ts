import type { PGlite } from '@electric-sql/pglite';

const INTERVAL_MS = 30_000;

/**
 * What autovacuum is to a Postgres server: PGlite runs none, and without it statistics stay empty, plans go wrong and
 * dead rows pile up. Looks after tables in which much has changed, by autovacuum's own measure.
 *
 * @returns Ends the upkeep; resolves when a run in progress is done.
 */
export function startUpkeep(client: PGlite, onFailure: (error: unknown) => void): () => Promise<unknown> {
  let run: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    run = run.then(() => upkeep(client)).catch(onFailure);
  }, INTERVAL_MS);
  timer.unref();
  return () => {
    clearInterval(timer);
    return run;
  };
}

/** Vacuums tables with many dead rows and analyzes those with many changed ones; answers their names. */
export async function upkeep(client: PGlite): Promise<string[]> {
  // Counts of changes reach the statistics with a delay unless asked for.
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ name: string; dead: boolean }>(`
    SELECT quote_ident(relname) AS name, n_dead_tup > 50 + 0.2 * n_live_tup AS dead FROM pg_stat_user_tables
    WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup`);
  for (const { name, dead } of rows) await client.exec(`${dead ? 'VACUUM ANALYZE' : 'ANALYZE'} ${name}`);
  return rows.map(({ name }) => name);
}
