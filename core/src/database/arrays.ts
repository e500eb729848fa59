import { type SQL, sql } from 'drizzle-orm';

/** A list as one `uuid[]` parameter; drivers differ in how they send JavaScript arrays, but not in text. */
export function uuids(values: readonly string[]): SQL {
  return sql`${`{${values.join(',')}}`}::uuid[]`;
}

/** A list as one `int[]` parameter. */
export function integers(values: readonly number[]): SQL {
  return sql`${`{${values.join(',')}}`}::int[]`;
}

/** A list as one `text[]` parameter. */
export function texts(values: readonly string[]): SQL {
  const quoted = values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`);
  return sql`${`{${quoted.join(',')}}`}::text[]`;
}

/** A list as one `float8[]` parameter. */
export function floats(values: readonly number[]): SQL {
  return sql`${`{${values.join(',')}}`}::float8[]`;
}
