import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { ScheduleItem, WipItem } from './contract.ts';

/** The columns that both tables have. */
const itemColumns = () => ({
  tenantId: tenantId(),
  id: uuid('id').notNull(),
  title: text('title').notNull(),
  note: text('note'),
  createdAt: instant('created_at').notNull(),
  updatedAt: instant('updated_at').notNull(),
  source: text('source').$type<Source>().notNull(),
  credentialId: uuid('credential_id'),
});

export const scheduleItems = pgTable(
  'schedule_items',
  {
    ...itemColumns(),
    dueAt: instant('due_at').notNull(),
    /** Whether it is due on the day that begins then, at no time of it. */
    wholeDay: boolean('whole_day').notNull().default(false),
    status: text('status').$type<ScheduleItem['status']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('schedule_items_due').on(table.tenantId, table.status, table.dueAt, table.id),
  ],
);
export type ScheduleRow = typeof scheduleItems.$inferSelect;

/** What an agent is working on. */
export const wipItems = pgTable(
  'wip_items',
  {
    ...itemColumns(),
    status: text('status').$type<WipItem['status']>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('wip_items_changed').on(table.tenantId, table.status, table.updatedAt, table.id),
  ],
);
export type WipRow = typeof wipItems.$inferSelect;
