import { and, eq, isNull, sql } from 'drizzle-orm';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Context, Services } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { isAway } from '../embedding/embed-each.ts';
import type { Job } from '../jobs/contract.ts';
import { jobs } from '../jobs/schema.ts';
import { emitFinished, startJob } from '../jobs/start.ts';

const BATCH = 500;

/** A tenant whose active model is not the current one. */
interface Outdated {
  readonly tenant_id: string;
  readonly model: string;
}

/**
 * Creates the task that starts re-embedding after the operator chose another embedder. When processes have different
 * embedders, as during a rolling update, the process started last decides.
 *
 * @returns the task; it returns the number of tenants whose job it started.
 */
export function createReembedTask(): (services: Services, signal: AbortSignal) => Promise<number> {
  let chosen = false;
  return async (services, signal) => {
    const { embeddingModels, logger } = services;
    const { current } = embeddingModels;
    if (!chosen) {
      try {
        await embeddingModels.activate();
        chosen = true;
      } catch (error) {
        logger.warn({ err: error, model: current }, 'the embedder is away: nothing is re-embedded for now');
        return 0;
      }
    }
    if (!(await embeddingModels.isActive())) return 0;
    let started = 0;
    for (let before = -1; ; ) {
      const outdated = await findOutdated(services, { idle: true });
      // Those of users that are being forgotten stay outdated until they are gone.
      if (outdated.length === 0 || started === before || signal.aborted) return started;
      before = started;
      // While the embedder is unavailable, every job would fail.
      if (started === 0 && (await isAway(embeddingModels, current, signal))) return 0;
      for (const { tenant_id, model } of outdated) {
        const context = await systemContext(services, tenant_id);
        const job = await unlessErased(context.write((tx) => startReembed(tx, context)));
        if (!job) continue;
        logger.info({ tenant: tenant_id, job: job.id, from: model, to: current }, 'memories are re-embedded');
        started += 1;
      }
    }
  };
}

/**
 * Finds tenants whose active model is not the current one, 500 at most.
 *
 * @param idle Only tenants without an unfinished job for it; default false.
 */
export async function findOutdated(
  { database, embeddingModels }: Services,
  { idle = false } = {},
): Promise<Outdated[]> {
  const { current } = embeddingModels;
  const unattended = sql`AND NOT EXISTS (
    SELECT FROM ${jobs} job WHERE job.tenant_id = tenant.tenant_id AND job.singleton = 'reembed'
      AND job.finished_at IS NULL AND job.input ->> 'model' = ${current})`;
  return database.system((tx) =>
    // Index tenants_embedding_model, from both sides.
    rows<Outdated>(
      tx,
      sql`SELECT tenant_id, embedding_model AS model FROM ${tenants} tenant
          WHERE (embedding_model < ${current} OR embedding_model > ${current}) ${idle ? unattended : sql``}
          ORDER BY created_at LIMIT ${BATCH}`,
    ),
  );
}

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
