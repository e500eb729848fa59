import { boolean, doublePrecision, index, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { LoggedRecall } from './contract.ts';

/** What was asked of recall, kept for some days. */
export const loggedRecalls = pgTable(
  'recalls',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    query: text('query').notNull(),
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
    results: jsonb('results').$type<LoggedRecall['results']>().notNull(),
    degraded: boolean('degraded').notNull(),
    tookMs: doublePrecision('took_ms').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('recalls_time').on(table.tenantId, table.at, table.id),
  ],
);
export type RecallRow = typeof loggedRecalls.$inferSelect;
