import { sql } from 'drizzle-orm';
import { customType, uuid } from 'drizzle-orm/pg-core';

/** First column of every tenant table, in its keys and indexes. */
export const tenantId = () => uuid('tenant_id').notNull();

/** A moment with the precision the API shows: milliseconds. */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => value.toISOString(),
  // Postgres' own form is not ISO 8601: `Date` guesses at it, and takes the year 0001 for 2001.
  fromDriver: (value) => new Date(value.replace(' ', 'T').replace(/[+-]\d{2}$/, '$&:00')),
});

/** The transaction that wrote a row last, as Postgres numbers them. */
export const changedIn = () =>
  customType<{ data: string }>({ dataType: () => 'xid8' })('changed_in')
    .notNull()
    .default(sql`pg_current_xact_id()`);

/** A pgvector column without a fixed dimension: each row's model decides it. */
export const embedding = customType<{ data: Float32Array; driverData: string }>({
  dataType: () => 'vector',
  toDriver: (value) => vectorLiteral(value),
  fromDriver: (value) => Float32Array.from(JSON.parse(value)),
});

/** pgvector's text form of a vector. */
export function vectorLiteral(value: Float32Array): string {
  return `[${value.join(',')}]`;
}

/** An empty text array as a column default. */
export const noTexts = sql`'{}'::text[]`;
