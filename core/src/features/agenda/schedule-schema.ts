import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { ScheduleItem } from './schedule-contract.ts';

/** What an agent has scheduled. */
export const scheduleItems = pgTable(
  'schedule_items',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    title: text('title').notNull(),
    note: text('note'),
    dueAt: instant('due_at').notNull(),
    status: text('status').$type<ScheduleItem['status']>().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('schedule_items_due').on(table.tenantId, table.status, table.dueAt, table.id),
  ],
);
export type ScheduleRow = typeof scheduleItems.$inferSelect;
