import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { WipItem } from './wip-contract.ts';

/** What an agent is working on. */
export const wipItems = pgTable(
  'wip_items',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    title: text('title').notNull(),
    note: text('note'),
    status: text('status').$type<WipItem['status']>().notNull(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('wip_items_changed').on(table.tenantId, table.status, table.updatedAt, table.id),
  ],
);
export type WipRow = typeof wipItems.$inferSelect;
