import { sql } from 'drizzle-orm';
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
import type { Source } from '../contract/fields.ts';
import { instant, tenantId } from '../database/columns.ts';
import type { GuardianEntry, guardedFields } from './contract.ts';

/** Fields of a memory as they are compared and stored in an entry. */
export type GuardedFields = z.output<typeof guardedFields>;

/** Changes to protected core memories: pending ones and how the others ended. */
export const guardianEntries = pgTable(
  'guardian_entries',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    memoryId: uuid('memory_id').notNull(),
    current: jsonb('current').$type<GuardedFields>().notNull(),
    proposed: jsonb('proposed').$type<GuardedFields>().notNull(),
    drift: doublePrecision('drift').notNull(),
    status: text('status').$type<GuardianEntry['status']>().notNull(),
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
    requestedAt: instant('requested_at').notNull(),
    coolingUntil: instant('cooling_until').notNull(),
    decidedAt: instant('decided_at'),
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
  ],
);
