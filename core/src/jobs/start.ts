import { and, eq, isNull } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { Job, JobKind } from './contract.ts';
import { showJob } from './row.ts';
import { jobs } from './schema.ts';

/** A job to start. */
export interface NewJob {
  readonly kind: JobKind;
  /** What the runner of this kind takes; must be JSON, and hold neither secrets nor memory text. */
  readonly input: object;
  /** Items to do, where that is known already. */
  readonly total?: number;
  /** Of the unfinished jobs of a tenant, only one may have this name: while one has, it is answered instead. */
  readonly singleton?: string;
}

/**
 * Queues a job in the transaction of the call that asks for it; the background work does it, in any process.
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
