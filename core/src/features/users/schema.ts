import { jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';

/** What is kept of the receipts of erasures: nothing that names a user. */
export const erasures = pgTable(
  'erasures',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    erasedAt: instant('erased_at').notNull(),
    /** Rows by table. */
    erased: jsonb('erased').$type<Readonly<Record<string, number>>>().notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.id] })],
);
