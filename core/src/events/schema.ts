import { index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../database/columns.ts';

/** Transactional outbox: what happened, written in the transaction that made it happen. Ids only, never content. */
export const events = pgTable(
  'events',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    type: text('type').notNull(),
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] }), index('events_time').on(table.createdAt)],
);
