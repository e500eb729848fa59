import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { Moment, MomentKind } from './contract.ts';

/** Flushes and deliveries around sessions and compactions, kept for 90 days. */
export const sessionMoments = pgTable(
  'session_moments',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    at: instant('at').notNull(),
    kind: text('kind').$type<MomentKind>().notNull(),
    outcome: text('outcome').$type<Moment['outcome']>().notNull(),
    framework: text('framework'),
    sessionId: text('session_id'),
    storedTurns: integer('stored_turns'),
    characters: integer('characters'),
    estimatedTokens: integer('estimated_tokens'),
    detail: text('detail'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('session_moments_time').on(table.tenantId, table.at),
    index('session_moments_session').on(table.tenantId, table.sessionId, table.kind, table.at),
  ],
);
export type NewMoment = Omit<typeof sessionMoments.$inferInsert, 'tenantId' | 'id'>;
