import { index, json, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../database/columns.ts';
import { DAY_MS } from '../runtime/durations.ts';

/** How long the answer kept for an `Idempotency-Key` is given again. */
export const IDEMPOTENCY_MS = DAY_MS;

/** Answers of writing calls that carried an `Idempotency-Key`, kept for 24 hours. */
export const idempotencyKeys = pgTable(
  'idempotency_keys',
  {
    tenantId: tenantId(),
    key: text('key').notNull(),
    requestHash: text('request_hash').notNull(),
    // Not jsonb: a replay gives the answer back with its fields in the same order.
    response: json('response').$type<unknown>(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.key] }),
    index('idempotency_keys_age').on(table.createdAt),
  ],
);
