import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { getTableColumns, getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { Sql } from 'postgres';

/** About so many characters go to the server at once. */
const PIECE = 64 * 1024;
const SPECIAL = /[\\\b\f\n\r\t\v]/g;

/** Inserts rows by COPY: columns that they do not name get their defaults. */
export async function copyRows<Table extends PgTable>(
  sql: Sql,
  table: Table,
  rows: Iterable<Table['$inferInsert']>,
): Promise<void> {
  const columns = Object.entries(getTableColumns(table));
  let target: Writable | undefined;
  let named: typeof columns = [];
  let piece = '';
  for (const row of rows) {
    const values: Readonly<Record<string, unknown>> = row;
    if (!target) {
      named = columns.filter(([field]) => values[field] !== undefined);
      const names = named.map(([, { name }]) => `"${name}"`).join(', ');
      target = await sql.unsafe(`COPY "${getTableName(table)}" (${names}) FROM STDIN`).writable();
    }
    let separator = '';
    for (const [field, column] of named) {
      const value = values[field];
      piece += separator + (value === null ? '\\N' : textOf(column.mapToDriverValue(value)));
      separator = '\t';
    }
    piece += '\n';
    if (piece.length < PIECE) continue;
    if (!target.write(piece)) await once(target, 'drain');
    piece = '';
  }
  if (!target) return;
  const finished = once(target, 'finish');
  target.end(piece);
  await finished;
}

/** A value in COPY's text form. */
function textOf(value: unknown): string {
  return String(value).replace(SPECIAL, (character) => `\\${ESCAPES[character] ?? character}`);
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\b': 'b',
  '\f': 'f',
  '\n': 'n',
  '\r': 'r',
  '\t': 't',
  '\v': 'v',
};
