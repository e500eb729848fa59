import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, primaryKey, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { Source } from '../../kernel/contract/fields.ts';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import type { JobError, JobStatus } from './contract.ts';

/** Long-running work of one tenant: its input, its progress, and the process that holds it. */
export const jobs = pgTable(
  'jobs',
  {
    tenantId: tenantId(),
    id: uuid('id').notNull(),
    kind: text('kind').notNull(),
    status: text('status').$type<JobStatus>().notNull(),
    input: jsonb('input').$type<unknown>().notNull(),
    /** Where the next step continues; null before the first. Written in the transaction of the step. */
    checkpoint: jsonb('checkpoint').$type<unknown>(),
    done: integer('done').notNull().default(0),
    total: integer('total'),
    result: jsonb('result').$type<Record<string, unknown>>(),
    errors: jsonb('errors').$type<JobError[]>().notNull().default([]),
    errorsCount: integer('errors_count').notNull().default(0),
    error: jsonb('error').$type<{ code: string; message: string }>(),
    /** Only one unfinished job of a tenant may have this name. */
    singleton: text('singleton'),
    /** Who asked for it. */
    source: text('source').$type<Source>().notNull(),
    credentialId: uuid('credential_id'),
    /** Claims since a step was last finished, the present one included. */
    attempts: integer('attempts').notNull().default(0),
    /** When a process may claim it. While it is claimed, the end of the lease. */
    dueAt: instant('due_at').notNull(),
    /** Token of the process that holds it. A process whose token differs must not write. */
    claim: uuid('claim'),
    createdAt: instant('created_at').notNull(),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.id] }),
    index('jobs_created').on(table.tenantId, table.createdAt, table.id),
    uniqueIndex('jobs_singleton').on(table.tenantId, table.singleton).where(sql`finished_at IS NULL`),
    index('jobs_due').on(table.dueAt).where(sql`finished_at IS NULL`),
    index('jobs_finished').on(table.finishedAt).where(sql`finished_at IS NOT NULL`),
  ],
);
export type JobRow = typeof jobs.$inferSelect;
