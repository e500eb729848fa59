import { inArray, sql } from 'drizzle-orm';
import {
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { z } from 'zod';
import type { Category, Source } from '../contract/fields.ts';
import { instant, noTexts, tenantId } from '../database/columns.ts';
import type { GuardianEntry, guardedFields } from './contract.ts';

/** Fields of a memory as they are compared and stored in an entry. */
export type GuardedFields = z.output<typeof guardedFields>;

/** The audit trail of protected core memories: pending changes, how others ended, and memories added. */
export const guardianEntries = pgTable(
  'guardian_entries',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    current: jsonb('current').$type<GuardedFields>(),
    proposed: jsonb('proposed').$type<GuardedFields>(),
    drift: doublePrecision('drift').notNull(),
    baselineDrift: doublePrecision('baseline_drift'),
    /** The limit in force when the change was asked for. */
    driftLimit: doublePrecision('drift_limit').notNull(),
    status: text('status').$type<GuardianEntry['status']>().notNull(),
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
    requestedAt: instant('requested_at').notNull(),
    coolingUntil: instant('cooling_until').notNull(),
    decidedAt: instant('decided_at'),
    decidedSource: text('decided_source').$type<Source>(),
    decidedBy: uuid('decided_by'),
    reason: text('reason'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    // One pending change per memory: whoever comes second is told of the first.
    uniqueIndex('guardian_pending')
      .on(table.tenantId, table.memoryId)
      .where(sql`status IN ('cooling', 'waiting')`),
    index('guardian_due').on(table.coolingUntil).where(sql`status = 'cooling'`),
    index('guardian_time').on(table.tenantId, table.requestedAt, table.id),
    index('guardian_decided').on(table.tenantId, table.decidedAt),
    index('guardian_memory').on(table.tenantId, table.memoryId),
  ],
);
export type EntryRow = typeof guardianEntries.$inferSelect;

/** Settings of the tenants whose human changed them. */
export const guardianSettingsTable = pgTable(
  'guardian_settings',
  {
    tenantId: tenantId(),
    /** Protected beside those that always are. */
    categories: text('categories').array().$type<Category[]>().notNull().default(noTexts),
    /** Null: the operator's default. */
    coolingHours: doublePrecision('cooling_hours'),
    driftLimit: doublePrecision('drift_limit'),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);

/**
 * What a protected memory said before changes were applied that no human decided: many small ones are measured
 * against it together. A memory without a row says what it said at first, or what the human approved.
 */
export const guardianBaselines = pgTable(
  'guardian_baselines',
  {
    tenantId: tenantId(),
    memoryId: uuid('memory_id').notNull(),
    content: text('content').notNull(),
    /** When the memory began to say this. */
    since: instant('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.memoryId] })],
);

/** Entries that are not decided yet: the condition of the index guardian_pending. */
export const isPending = inArray(guardianEntries.status, ['cooling', 'waiting']);
