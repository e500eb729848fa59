import { sql } from 'drizzle-orm';
import { doublePrecision, index, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../../kernel/database/columns.ts';
import type { DriftCheck } from './contract.ts';

/** Times an agent was restored or about to be compacted, and how much of its core fitted. */
export const injections = pgTable(
  'injections',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    phase: text('phase').$type<Phase>().notNull(),
    /** Share of the core memories the injection showed, 0..1; null where there are none. */
    coverage: doublePrecision('coverage'),
    at: instant('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('injections_time').on(table.tenantId, table.at),
  ],
);
/** `boot`: the start of a session; `pre`: about to be compacted; `post`: restored after it. */
export type Phase = 'boot' | 'pre' | 'post';

/** Drift checks, open and dismissed. */
export const driftChecks = pgTable(
  'drift_checks',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    cause: text('cause').$type<DriftCheck['cause']>().notNull(),
    similarity: doublePrecision('similarity'),
    openedAt: instant('opened_at').notNull(),
    dismissedAt: instant('dismissed_at'),
    dismissedSource: text('dismissed_source').$type<Source>(),
    dismissedBy: uuid('dismissed_by'),
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // One open check: a second cause adds nothing to what the agent is asked.
    uniqueIndex('drift_check_open').on(table.tenantId).where(sql`dismissed_at IS NULL`),
  ],
);
export type DriftCheckRow = typeof driftChecks.$inferSelect;
