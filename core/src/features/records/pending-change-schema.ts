import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm';
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
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, noTexts, tenantId } from '../../kernel/database/columns.ts';
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
    /** In a space, the agent that asked; elsewhere null. */
    agentId: uuid('agent_id'),
    requestedAt: instant('requested_at').notNull(),
    coolingUntil: instant('cooling_until').notNull(),
    decidedAt: instant('decided_at'),
    decidedSource: text('decided_source').$type<Source>(),
    decidedBy: uuid('decided_by'),
    reason: text('reason'),
    /** Of a decided entry whose text was erased, a digest of what it said: the decision is kept, the text is not. */
    saidDigest: text('said_digest'),
    /** Why the change may not be applied without the human; empty where it cannot change the meaning. */
    concerns: text('concerns').array().notNull().default(noTexts),
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
    index('guardian_undecided')
      .on(table.tenantId, table.status)
      .where(sql`status IN ('cooling', 'waiting', 'added')`),
  ],
);
export type EntryRow = typeof guardianEntries.$inferSelect;

export const isEntry = (tenantId: string, id: string) =>
  and(eq(guardianEntries.tenantId, tenantId), eq(guardianEntries.id, id));
/** Entries whose change has not happened: the condition of the index guardian_pending. */
export const isPending = inArray(guardianEntries.status, ['cooling', 'waiting']);
/** Entries of memories that the human has not confirmed. */
export const isAdded = eq(guardianEntries.status, 'added');
/** Entries that the human may still decide: the condition of the index guardian_undecided. */
export const isUndecided = inArray(guardianEntries.status, ['cooling', 'waiting', 'added']);
/** Entries that somebody has decided, not time: index guardian_decided. */
export const isDecided = and(
  isNotNull(guardianEntries.decidedAt),
  isNotNull(guardianEntries.decidedSource),
  inArray(guardianEntries.status, ['rejected', 'approved']),
);
