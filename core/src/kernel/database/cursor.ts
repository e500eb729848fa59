import { type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { invalid } from '../contract/errors.ts';

const position = z.tuple([z.iso.datetime(), z.uuid()]);

/** Where a page ended: a time, and the id that orders equal times. */
export interface Position {
  readonly at: Date;
  readonly id: string;
}

/** Encodes a position as an opaque text. */
function encodeCursor({ at, id }: Position): string {
  return Buffer.from(JSON.stringify([at.toISOString(), id])).toString('base64url');
}

/** Decodes a cursor. Throws `VALIDATION_ERROR` for a text that `encodeCursor` did not make. */
function decodeCursor(cursor: string): Position {
  try {
    const [at, id] = position.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return { at: new Date(at), id };
  } catch {
    throw invalid('cursor', 'is not a cursor of this list; start without one');
  }
}

/** Condition on the rows after a cursor in a list, newest first; undefined for the first page. */
export function olderThanCursor(cursor: string | undefined, at: PgColumn, id: PgColumn): SQL | undefined {
  if (cursor === undefined) return undefined;
  const end = decodeCursor(cursor);
  return sql`(${at}, ${id}) < (${end.at.toISOString()}, ${end.id}::uuid)`;
}

/** Condition on the rows after a cursor in a list, oldest first; undefined for the first page. */
export function newerThanCursor(cursor: string | undefined, at: PgColumn, id: PgColumn): SQL | undefined {
  if (cursor === undefined) return undefined;
  const end = decodeCursor(cursor);
  return sql`(${at}, ${id}) > (${end.at.toISOString()}, ${end.id}::uuid)`;
}

/** Turns a list that was read with one row more than the limit into a page and the cursor of the next page. */
export function toPage<Row>(found: readonly Row[], limit: number, positionOf: (row: Row) => Position) {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: found.length > limit && last ? encodeCursor(positionOf(last)) : null };
}
