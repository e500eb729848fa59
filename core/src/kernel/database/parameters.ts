import { type SQL, sql } from 'drizzle-orm';

/** A moment as a `timestamptz` parameter. */
export function timestamptz(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`;
}

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
  if (values.length === 0) return '{}';
  // Few texts have anything to escape: one look at all of them spares one at each.
  const isPlain = !/["\\]/.test(values.join(''));
  const escaped = isPlain ? values : values.map((value) => value.replace(/["\\]/g, '\\$&'));
  return `{"${escaped.join('","')}"}`;
}

const REAL_TYPE = 700;
/** What precedes the elements of an array: its dimensions, whether some are null, their type; the length and first index. */
const HEADER_BYTES = 20;
/** Each number with its own length before it. */
const REAL_BYTES = 8;

/**
 * Vectors, one after the other, as one `real[]` parameter in Postgres' binary form. Numbers take several times as long to
 * write and to read as decimals. https://www.postgresql.org/docs/current/protocol-overview.html#PROTOCOL-FORMAT-CODES
 */
export function realsBinary(vectors: readonly Float32Array[]): Buffer {
  const length = vectors.reduce((sum, vector) => sum + vector.length, 0);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + length * REAL_BYTES);
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  for (const [index, value] of [1, 0, REAL_TYPE, length, 1].entries()) view.setInt32(4 * index, value);
  let at = HEADER_BYTES;
  for (const vector of vectors) {
    for (const number of vector) {
      view.setInt32(at, 4);
      view.setFloat32(at + 4, number);
      at += REAL_BYTES;
    }
  }
  return buffer;
}

/** Splits a list into chunks of at most `most` items, in order. */
export function chunksOf<Item>(items: readonly Item[], most: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  );
}
