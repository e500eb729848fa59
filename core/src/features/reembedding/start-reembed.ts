import { and, eq, isNull } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { Job } from '../jobs/contract.ts';
import { emitFinished } from '../jobs/finish.ts';
import { jobs } from '../jobs/schema.ts';
import { startJob } from '../jobs/start.ts';

/** Starts the job that re-embeds all memories of a tenant with the current model, or returns the unfinished one. */
export async function startReembed(tx: Tx, context: Context): Promise<Job> {
  const model = context.embeddingModels.current;
  await endOthers(tx, context, model);
  return startJob(tx, context, { kind: 'reembed', input: { model }, singleton: 'reembed' });
}

/** Cancels an unfinished job for a model that was chosen before. */
async function endOthers(tx: Tx, context: Context, model: string): Promise<void> {
  const { tenantId, now } = context;
  // Index jobs_singleton.
  const unfinished = and(eq(jobs.tenantId, tenantId), eq(jobs.singleton, 'reembed'), isNull(jobs.finishedAt));
  const [found] = await tx.select().from(jobs).where(unfinished).for('update');
  if (!found || (found.input as { model?: unknown }).model === model) return;
  const [ended] = await tx
    .update(jobs)
    .set({ status: 'cancelled', finishedAt: now, claim: null })
    .where(and(eq(jobs.tenantId, tenantId), eq(jobs.id, found.id)))
    .returning();
  if (ended) await emitFinished(tx, context, ended);
}
