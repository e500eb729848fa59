import { sql } from 'drizzle-orm';
import { rows } from '../../database/database.ts';
import type { Dependencies } from '../../engine/context.ts';
import { serviceContext } from '../../engine/service-context.ts';
import { jobs } from '../../jobs/schema.ts';
import { tenants } from '../../tenants/schema.ts';
import { isAway } from '../embed-each.ts';
import { startReembed } from './start-reembed.ts';

const BATCH = 500;

/** A tenant whose recalls are answered by another model than the current one. */
export interface Outdated {
  readonly tenant_id: string;
  readonly model: string;
}

/**
 * Makes the background job that starts to re-embed when the operator has chosen another embedder. Of processes with
 * different embedders, as during a rolling update, the one that was started last decides.
 *
 * @returns the job; it answers how many tenants it started with.
 */
export function createFollowChoice(): (dependencies: Dependencies, signal: AbortSignal) => Promise<number> {
  let chosen = false;
  return async (dependencies, signal) => {
    const { spaces, logger } = dependencies;
    const { current } = spaces;
    if (!chosen) {
      try {
        await spaces.choose();
        chosen = true;
      } catch (error) {
        logger.warn({ err: error, model: current }, 'the embedder is away: nothing is re-embedded for now');
        return 0;
      }
    }
    if (!(await spaces.isChosen())) return 0;
    let started = 0;
    for (;;) {
      const outdated = await findOutdated(dependencies, { idle: true });
      if (outdated.length === 0 || signal.aborted) return started;
      // Jobs against an embedder that is away would only fail, one after the other.
      if (started === 0 && (await isAway(spaces, current, signal))) return 0;
      for (const { tenant_id, model } of outdated) {
        const context = serviceContext(dependencies, tenant_id);
        const job = await context.write((tx) => startReembed(tx, context));
        logger.info({ tenant: tenant_id, job: job.id, from: model, to: current }, 'memories are re-embedded');
        started += 1;
      }
    }
  };
}

/**
 * Tenants whose recalls are answered by another model than the current one, 500 at most.
 *
 * @param idle Only those for whom nothing is being done about it.
 */
export async function findOutdated(
  { database, spaces }: Dependencies,
  { idle = false } = {},
): Promise<Outdated[]> {
  const { current } = spaces;
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
