import { sql } from 'drizzle-orm';
import { index, integer, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { ConflictStatus } from './statuses.ts';

/** Pairs of facts of which the rules cannot tell whether both hold, for a language model to decide. */
export const factConflicts = pgTable(
  'fact_conflicts',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    olderId: uuid('older_id').notNull(),
    olderVersion: integer('older_version').notNull(),
    newerId: uuid('newer_id').notNull(),
    newerVersion: integer('newer_version').notNull(),
    foundAt: instant('found_at').notNull(),
    status: text('status').$type<ConflictStatus>().notNull(),
    /** How often the model was asked, and when last. */
    attempts: integer('attempts').notNull().default(0),
    askedAt: instant('asked_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    uniqueIndex('fact_conflicts_pair').on(table.tenantId, table.olderId, table.newerId),
    index('fact_conflicts_time').on(table.tenantId, table.foundAt, table.id),
    index('fact_conflicts_waiting')
      .on(table.tenantId, table.foundAt, table.id)
      .where(sql`status = 'waiting'`),
    index('fact_conflicts_asked').on(table.tenantId, table.askedAt).where(sql`asked_at IS NOT NULL`),
  ],
);
export type ConflictRow = typeof factConflicts.$inferSelect;
