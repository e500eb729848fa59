import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Job } from './contract.ts';
import { showJob } from './row.ts';
import { type JobRow, jobs } from './schema.ts';

export interface NewJob {
  readonly kind: string;
  /** Input of the handler. Must be JSON, and contain neither secrets nor contents of memories. */
  readonly input: object;
  /** Number of items, when known. */
  readonly total?: number;
  /** Only one unfinished job of a tenant may have this name. While there is one, it is returned instead. */
  readonly singleton?: string;
}

/**
 * Queues a job in the caller's transaction. A background task of any process runs it.
 *
 * @returns the job, or the unfinished one with the same `singleton`.
 */
export async function startJob(
  tx: Tx,
  context: Context,
  { kind, input, total, singleton }: NewJob,
): Promise<Job> {
  const { tenantId, actor, now } = context;
  const [created] = await tx
    .insert(jobs)
    .values({
      tenantId,
      id: context.ids(),
      kind,
      status: 'queued',
      input,
      total: total ?? null,
      singleton: singleton ?? null,
      source: actor.source,
      credentialId: actor.credentialId,
      dueAt: now,
      createdAt: now,
    })
    .onConflictDoNothing()
    .returning();
  if (created) return showJob(tx, context, created);
  // Index jobs_singleton; locked, so that it does not end before this call does.
  const [unfinished] = await tx
    .select()
    .from(jobs)
    .where(and(eq(jobs.tenantId, tenantId), eq(jobs.singleton, singleton ?? ''), isNull(jobs.finishedAt)))
    .for('update');
  if (!unfinished) throw new SvcError('CONFLICT', 'A job like this one has just ended. Start it again.');
  return showJob(tx, context, unfinished);
}

export function emitProgress(tx: Tx, context: Context, { id, kind, done, total }: JobRow): Promise<void> {
  return context.emit(tx, 'job.progress', { job_id: id, kind, done, total });
}

/** Emits the end of a job, whether it succeeded or not. */
export function emitFinished(tx: Tx, context: Context, { id, kind, status }: JobRow): Promise<void> {
  return context.emit(tx, 'job.finished', { job_id: id, kind, status });
}
