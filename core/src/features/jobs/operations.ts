import { and, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import type { jobRoutes } from './contract.ts';
import { showJob, showJobs } from './row.ts';
import { jobs } from './schema.ts';
import { emitFinished } from './start.ts';

/** Lists jobs, newest first. */
export const listJobs: Operation<typeof jobRoutes.jobs> = async (
  context,
  { kind, status, limit, cursor },
) => {
  const kinds = context.jobHandlers.map((handler) => handler.kind);
  if (kind !== undefined && !kinds.includes(kind))
    throw invalid('kind', `must be one of ${kinds.join(', ')}`);
  return context.read(async (tx) => {
    const list = sortedList('desc', [jobs.createdAt, jobs.id]);
    // Index jobs_created.
    const found = await tx
      .select()
      .from(jobs)
      .where(
        and(
          eq(jobs.tenantId, context.tenantId),
          kind === undefined ? undefined : eq(jobs.kind, kind),
          status && eq(jobs.status, status),
          list.after(cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({ at: row.createdAt, id: row.id }));
    return { jobs: await showJobs(tx, context, page), next_cursor };
  });
};

export const getJob: Operation<typeof jobRoutes.job> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.tenantId, context.tenantId), eq(jobs.id, id)));
    return { job: await showJob(tx, context, row) };
  });

/**
 * Cancels a job. A step in progress is not written.
 * Throws `CONFLICT` when it has ended otherwise.
 */
export const cancelJob: Operation<typeof jobRoutes.cancelJob> = (context, { id }) =>
  context.write(async (tx) => {
    const own = and(eq(jobs.tenantId, context.tenantId), eq(jobs.id, id));
    const [row] = await tx.select().from(jobs).where(own).for('update');
    if (!row || row.status === 'cancelled') return { job: await showJob(tx, context, row) };
    if (row.finishedAt) throw new SvcError('CONFLICT', `This job has ended already: it is ${row.status}.`);
    const [cancelled] = await tx
      .update(jobs)
      .set({ status: 'cancelled', finishedAt: context.now, claim: null })
      .where(own)
      .returning();
    if (cancelled) await emitFinished(tx, context, cancelled);
    return { job: await showJob(tx, context, cancelled) };
  });
