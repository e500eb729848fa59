import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { invalid } from '../contract/errors.ts';

/** Where a page ended: the times or numbers that the list is sorted by, and the id that orders equal ones. */
export interface Position {
  readonly at: Date | number;
  /** What orders those of equal `at` before the id does; by default nothing. */
  readonly second?: Date;
  readonly id: string;
}

/** Encodes a position as an opaque text. */
function encodeCursor({ at, second, id }: Position): string {
  return Buffer.from(JSON.stringify([at, ...(second ? [second] : []), id])).toString('base64url');
}

/**
 * Decodes a cursor of a list that is sorted by these columns, as the row that the page ended with.
 *
 * @throws SvcError `VALIDATION_ERROR` for a text that `encodeCursor` did not make, or of a list that is sorted otherwise.
 */
function decodeCursor(cursor: string, columns: readonly PgColumn[]): SQL {
  try {
    const values = z.unknown().array().length(columns.length);
    const position = values.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    const row = columns.map((column, place) => toValue(position[place], column));
    return sql`(${sql.join(row, sql`, `)})`;
  } catch {
    throw invalid('cursor', 'is not a cursor of this list; start without one');
  }
}

function toValue(value: unknown, { dataType, columnType }: PgColumn): SQL {
  if (columnType === 'PgUUID') return sql`${z.uuid().parse(value)}::uuid`;
  if (dataType === 'number') return sql`${z.number().parse(value)}::float8`;
  return sql`${new Date(z.iso.datetime().parse(value)).toISOString()}::timestamptz`;
}

/**
 * Condition on the rows after a cursor in a list, newest or largest first; undefined for the first page.
 *
 * @param columns What the list is sorted by, the id last.
 */
export function olderThanCursor(
  cursor: string | undefined,
  ...columns: readonly PgColumn[]
): SQL | undefined {
  return cursor === undefined ? undefined : sql`(${rowOf(columns)}) < ${decodeCursor(cursor, columns)}`;
}

/** Condition on the rows after a cursor in a list, oldest or smallest first; undefined for the first page. */
export function newerThanCursor(
  cursor: string | undefined,
  ...columns: readonly PgColumn[]
): SQL | undefined {
  return cursor === undefined ? undefined : sql`(${rowOf(columns)}) > ${decodeCursor(cursor, columns)}`;
}

function rowOf(columns: readonly PgColumn[]): SQL {
  return sql.join([...columns], sql`, `);
}

/** Turns a list that was read with one row more than the limit into a page and the cursor of the next page. */
export function toPage<Row>(found: readonly Row[], limit: number, positionOf: (row: Row) => Position) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: found.length > limit && last ? encodeCursor(positionOf(last)) : null };
}
