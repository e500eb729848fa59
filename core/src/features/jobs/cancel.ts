import { and, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { jobRoutes } from './contract.ts';
import { emitFinished } from './finish.ts';
import { showJob } from './row.ts';
import { jobs } from './schema.ts';

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
