import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { DistressSignal } from './contract.ts';

/** Distress signals, open and acknowledged. */
export const distressSignals = pgTable(
  'distress_signals',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    openedAt: instant('opened_at').notNull(),
    messages: jsonb('messages').$type<DistressSignal['messages']>().notNull(),
    acknowledgedAt: instant('acknowledged_at'),
    acknowledgedSource: text('acknowledged_source').$type<Source>(),
    acknowledgedBy: uuid('acknowledged_by'),
    /** When a human, signed in, acknowledged it. An API key ends a signal for the agent only. */
    heardAt: instant('heard_at'),
    heardBy: uuid('heard_by'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('distress_open').on(table.tenantId).where(sql`acknowledged_at IS NULL`),
    index('distress_unheard').on(table.tenantId, table.openedAt).where(sql`heard_at IS NULL`),
    index('distress_time').on(table.tenantId, table.openedAt),
  ],
);
