import { type SQL, sql } from 'drizzle-orm';

/** A list as one `uuid[]` parameter. Sent as text, because drivers differ in how they send JavaScript arrays. */
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

/** Postgres' text form of an array of ids or numbers. */
export function listText(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`;
}

/** Postgres' text form of an array of any texts. */
export function quotedListText(values: readonly string[]): string {
  return listText(values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`));
}

/** Splits a list into chunks of at most `most` items, in order. */
export function chunksOf<Item>(items: readonly Item[], most: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
