import { type SQL, sql } from 'drizzle-orm';
import { customType, uuid } from 'drizzle-orm/pg-core';

/** The first column of every tenant table and of its keys and indexes. */
export const tenantId = () => uuid('tenant_id').notNull();

/** A timestamp in milliseconds, the precision of the API. */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => 'timestamp (3) with time zone',
  toDriver: (value) => value.toISOString(),
  // Postgres' text form is not ISO 8601: `Date` would guess, and read the year 0001 as 2001.
  fromDriver: (value) => new Date(value.replace(' ', 'T').replace(/[+-]\d{2}$/, '$&:00')),
});

/** A time as text in the form of the API, for raw statements, whose times the drivers leave as Postgres writes them. */
export function isoText(time: SQL): SQL<string> {
  return sql`to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Id of the transaction that wrote a row last. */
export const changedIn = () =>
  customType<{ data: string }>({ dataType: () => 'xid8' })('changed_in')
    .notNull()
    .default(sql`pg_current_xact_id()`);

/** A pgvector column without fixed dimensions: they depend on each row's model. */
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
