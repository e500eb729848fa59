import { and, lt, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Database, rows } from './database.ts';

/** The rows of a table, of all tenants, that have become too old. */
interface OldRows {
  readonly table: PgTable & { readonly tenantId: PgColumn };
  /** What the primary key consists of beside the tenant. */
  readonly key: PgColumn;
  /** Tells the age; an index begins with it. */
  readonly at: PgColumn;
  readonly before: Date;
  /** What else must hold for a row to be deleted; default: nothing. */
  readonly where?: SQL;
}

const BATCH = 5_000;

/**
 * Deletes the oldest rows, at most 5,000 of them. Rows that another transaction holds stay until the next time.
 *
 * @returns how many went; call again while it is not 0.
 */
export async function deleteOldest(
  database: Database,
  { table, key, at, before, where }: OldRows,
): Promise<number> {
  const { tenantId } = table;
  const deleted = await database.system((tx) =>
    rows(
      tx,
      sql`DELETE FROM ${table} WHERE (${tenantId}, ${key}) IN (
            SELECT ${tenantId}, ${key} FROM ${table} WHERE ${and(lt(at, before), where)}
            ORDER BY ${at} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
          RETURNING 1`,
    ),
  );
  return deleted.length;
}
