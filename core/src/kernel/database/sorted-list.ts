import { asc, desc, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import { z } from 'zod';
import { invalid } from '../contract/errors.ts';
import { timestamptz } from './parameters.ts';

/** Where a page ended: the times or numbers that the list is sorted by, and the id that orders equal ones. */
export interface Position {
  readonly at: Date | number;
  /** What orders those of equal `at` before the id does; by default nothing. */
  readonly second?: Date;
  readonly id: string;
}

/** A list in the order of some columns, page by page. */
export interface SortedList {
  readonly direction: 'asc' | 'desc';
  readonly orderBy: readonly SQL[];
  /**
   * Condition on the rows after a cursor; undefined for the first page.
   *
   * @throws SvcError `VALIDATION_ERROR` for a text that is no cursor, or that of a list which is sorted otherwise.
   */
  after(cursor: string | undefined): SQL | undefined;
  /** Turns what was read with one row more than the limit into a page and the cursor of the next page. */
  toPage<Row>(
    found: readonly Row[],
    limit: number,
    positionOf: (row: Row) => Position,
  ): { readonly page: Row[]; readonly next_cursor: string | null };
}

/** @param columns What the list is sorted by, the id last. */
export function sortedList(
  direction: SortedList['direction'],
  columns: readonly [PgColumn, ...PgColumn[]],
): SortedList {
  const [first] = columns;
  const name = `${getTableName(first.table)} ${first.name} ${direction}`;
  const compared = sql.raw(direction === 'asc' ? '>' : '<');
  return {
    direction,
    orderBy: columns.map((column) => (direction === 'asc' ? asc(column) : desc(column))),
    after: (cursor) =>
      cursor === undefined
        ? undefined
        : sql`(${sql.join([...columns], sql`, `)}) ${compared} ${decodeCursor(cursor, name, columns)}`,
    toPage: (found, limit, positionOf) => {
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return {
        page,
        next_cursor: found.length > limit && last ? encodeCursor(name, positionOf(last)) : null,
      };
    },
  };
}

/** Encodes a position in a list as an opaque text. */
function encodeCursor(name: string, { at, second, id }: Position): string {
  return Buffer.from(JSON.stringify([name, at, ...(second ? [second] : []), id])).toString('base64url');
}

/** Decodes a cursor as the row that the page ended with. */
function decodeCursor(cursor: string, name: string, columns: readonly PgColumn[]): SQL {
  try {
    const values = z.tuple([z.literal(name)], z.unknown());
    const [, ...position] = values.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    z.unknown().array().length(columns.length).parse(position);
    const row = columns.map((column, place) => toValue(position[place], column));
    return sql`(${sql.join(row, sql`, `)})`;
  } catch {
    throw invalid('cursor', 'is not a cursor of this list; start without one');
  }
}

function toValue(value: unknown, { dataType, columnType }: PgColumn): SQL {
  if (columnType === 'PgUUID') return sql`${z.uuid().parse(value)}::uuid`;
  if (dataType === 'number') return sql`${z.number().parse(value)}::float8`;
  return timestamptz(new Date(z.iso.datetime().parse(value)));
}
