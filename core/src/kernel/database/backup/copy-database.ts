import { sql } from 'drizzle-orm';
import { type Database, rows, type Tx } from '../database.ts';
import { BackupError } from './backup-error.ts';

/** Rows that are read at once. */
const ROWS = 500;
/** About as many characters are inserted by one statement. */
const CHARACTERS = 4_000_000;

/**
 * Copies every row of a database into an empty one, all or none. Both have this release's migrations; only this writes to `from`.
 *
 * @throws BackupError where `to` holds anything; the reason of `signal`, where that ends it.
 */
export async function copyDatabase(from: Database, to: Database, signal?: AbortSignal): Promise<void> {
  await to.system(async (target) => {
    const names = await tablesOf(target);
    await requireEmpty(target, names);
    await from.system(async (source) => {
      for (const name of names) await copyTable(source, target, { name, signal });
    });
  });
}

/** All tables of the service, those that refer to others last. */
async function tablesOf(tx: Tx): Promise<string[]> {
  const found = await rows<{ name: string }>(
    tx,
    sql`SELECT relname AS name FROM pg_class c
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        ORDER BY EXISTS (SELECT FROM pg_constraint WHERE conrelid = c.oid AND contype = 'f'), relname`,
  );
  return found.map(({ name }) => name);
}

async function requireEmpty(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const held = await rows(tx, sql`SELECT 1 FROM ${sql.identifier(name)} LIMIT 1`);
    if (held.length === 0) continue;
    throw new BackupError(
      `The database on the server holds data already (${name}).`,
      'Nothing was changed there. Create an empty database, and name it in SVC_DATABASE_URL.',
    );
  }
}

/** Rows travel as JSON, which Postgres reads back by the types of the columns: nothing is rounded on the way. */
async function copyTable(
  source: Tx,
  target: Tx,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal | undefined },
): Promise<void> {
  const table = sql.identifier(name);
  await rows(source, sql`DECLARE copied CURSOR FOR SELECT row_to_json(t)::text AS row FROM ${table} t`);
  for (;;) {
    signal?.throwIfAborted();
    const page = await rows<{ row: string }>(source, sql.raw(`FETCH ${ROWS} FROM copied`));
    for (const chunk of chunksOf(page.map(({ row }) => row))) {
      await rows(
        target,
        sql`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, ${`[${chunk.join()}]`}::json)`,
      );
    }
    if (page.length < ROWS) break;
  }
  await rows(source, sql`CLOSE copied`);
}

/** Splits texts into what one statement takes: at least one each. */
function chunksOf(texts: readonly string[]): string[][] {
  const chunks: string[][] = [];
  let room = 0;
  for (const text of texts) {
    if (chunks.length === 0 || text.length > room) {
      chunks.push([]);
      room = CHARACTERS;
    }
    chunks.at(-1)?.push(text);
    room -= text.length;
  }
  return chunks;
}
