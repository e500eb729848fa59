import { type SQL, sql } from 'drizzle-orm';

/** A list as one `uuid[]` parameter; drivers differ in how they send JavaScript arrays, but not in text. */
export function uuids(values: readonly string[]): SQL {
  return sql`${listText(values)}::uuid[]`;
}

/** A list as one `int[]` parameter. */
export function integers(values: readonly number[]): SQL {
  return sql`${listText(values)}::int[]`;
}

/** A list as one `text[]` parameter. */
export function texts(values: readonly string[]): SQL {
  return sql`${quotedListText(values)}::text[]`;
}

/** A list as one `float8[]` parameter. */
export function floats(values: readonly number[]): SQL {
  return sql`${listText(values)}::float8[]`;
}

/** How Postgres writes a list of ids or numbers. */
export function listText(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}

/** How Postgres writes a list of any texts. */
export function quotedListText(values: readonly string[]): string {
  return listText(values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`));
}
