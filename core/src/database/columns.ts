import { sql } from 'drizzle-orm';
import { customType, timestamp, uuid } from 'drizzle-orm/pg-core';

/** First column of every tenant table, in its keys and indexes. */
export const tenantId = () => uuid('tenant_id').notNull();

/** A moment with the precision the API shows: milliseconds. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

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
