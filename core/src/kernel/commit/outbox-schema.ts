import { sql } from 'drizzle-orm';
import {
  bigint,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../database/columns.ts';

/** One try to deliver an event, as the log of a delivery keeps it. */
export interface DeliveryAttempt {
  /** 1 for the first try since the event happened or was replayed. */
  readonly attempt: number;
  readonly at: string;
  /** Null where no answer came. */
  readonly status_code: number | null;
  /** Milliseconds from the start to the end of the answer. */
  readonly ms: number;
  readonly error: string | null;
  /** Start of the answer, at most 256 characters. */
  readonly response_excerpt: string | null;
}

/** Transactional outbox: what happened, written in the transaction that made it happen. Ids only, never content. */
export const events = pgTable(
  'events',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull(),
    /**
     * The transaction that wrote it. Ids of concurrent transactions become visible out of order; readers who only look
     * below the oldest one still running see every event exactly once.
     */
    transaction: bigint('transaction', { mode: 'bigint' })
      .notNull()
      .default(sql`pg_current_xact_id()::text::bigint`),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('events_time').on(table.createdAt),
    index('events_order').on(table.tenantId, table.transaction, table.id),
  ],
);

/** Targets of events. Secrets are encrypted. */
export const eventEndpoints = pgTable(
  'event_endpoints',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    url: text('url').notNull(),
    /** Event types, groups such as `guardian.*`, or `*`. */
    events: text('events').array().notNull(),
    secret: text('secret').notNull(),
    previousSecret: text('previous_secret'),
    previousSecretUntil: instant('previous_secret_until'),
    disabledAt: instant('disabled_at'),
    disabledReason: text('disabled_reason').$type<'gone' | 'human'>(),
    failingSince: instant('failing_since'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);
export type EventEndpointRow = typeof eventEndpoints.$inferSelect;

/** One row for each event and endpoint that is to hear of it, made together with the event. */
export const eventDeliveries = pgTable(
  'event_deliveries',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    eventId: uuid('event_id').notNull(),
    type: text('type').notNull(),
    status: text('status').$type<'pending' | 'delivered' | 'dead'>().notNull(),
    /** Attempts made since the event happened or was replayed. */
    attempts: integer('attempts').notNull().default(0),
    log: jsonb('log').$type<DeliveryAttempt[]>().notNull().default([]),
    /** When to try next. A worker that takes the row moves it to when others may take it over. */
    dueAt: instant('due_at').notNull(),
    /** The worker's token for the attempt in progress: whoever lost it to another must not write its outcome. */
    claim: uuid('claim'),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('event_deliveries_event').on(table.tenantId, table.eventId, table.endpointId),
    index('event_deliveries_due')
      .on(table.tenantId, table.endpointId, table.dueAt)
      .where(sql`status = 'pending'`),
    index('event_deliveries_log').on(table.tenantId, table.endpointId, table.createdAt, table.id),
    index('event_deliveries_age').on(table.createdAt),
  ],
);
export type EventDeliveryRow = typeof eventDeliveries.$inferSelect;
