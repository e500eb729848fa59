import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { invalid } from '../contract/errors.ts';

const timePosition = z.tuple([z.iso.datetime(), z.uuid()]);
const numberPosition = z.tuple([z.number(), z.uuid()]);

/** Where a page ended: the time or number that the list is sorted by, and the id that orders equal ones. */
export interface Position {
  readonly at: Date | number;
  readonly id: string;
}

/** Encodes a position as an opaque text. */
function encodeCursor({ at, id }: Position): string {
  const value = at instanceof Date ? at.toISOString() : at;
  return Buffer.from(JSON.stringify([value, id])).toString('base64url');
}

/**
 * Decodes a cursor of a list that is sorted by this column, as the row that the page ended with.
 *
 * @throws SvcError `VALIDATION_ERROR` for a text that `encodeCursor` did not make, or of a list that is sorted otherwise.
 */
function decodeCursor(cursor: string, column: PgColumn): SQL {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (column.dataType === 'number') {
      const [number, id] = numberPosition.parse(value);
      return sql`(${number}::float8, ${id}::uuid)`;
    }
    const [at, id] = timePosition.parse(value);
    return sql`(${new Date(at).toISOString()}::timestamptz, ${id}::uuid)`;
  } catch {
    throw invalid('cursor', 'is not a cursor of this list; start without one');
  }
}

/** Condition on the rows after a cursor in a list, newest or largest first; undefined for the first page. */
export function olderThanCursor(cursor: string | undefined, at: PgColumn, id: PgColumn): SQL | undefined {
  return cursor === undefined ? undefined : sql`(${at}, ${id}) < ${decodeCursor(cursor, at)}`;
}

/** Condition on the rows after a cursor in a list, oldest or smallest first; undefined for the first page. */
export function newerThanCursor(cursor: string | undefined, at: PgColumn, id: PgColumn): SQL | undefined {
  return cursor === undefined ? undefined : sql`(${at}, ${id}) > ${decodeCursor(cursor, at)}`;
}

/** Turns a list that was read with one row more than the limit into a page and the cursor of the next page. */
export function toPage<Row>(found: readonly Row[], limit: number, positionOf: (row: Row) => Position) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: found.length > limit && last ? encodeCursor(positionOf(last)) : null };
}
