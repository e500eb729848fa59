import { type Output, routes } from '@svc-memory/core/contract';
import { z } from 'zod';
import { chooseTenant } from '../choose-tenant.ts';
import type { EngineAction } from '../engine-action.ts';

const tenants = z.object({ tenant: z.string().optional() });

const started = z.object({
  /** Model of the embedder in force. */
  model: z.string(),
  /** The jobs that change tenants from another model to it. */
  jobs: z.array(z.object({ tenantId: z.string(), id: z.string(), from: z.string() })),
});

/** Starts to make the vectors anew of all tenants, or of one, that have them of another model. */
export const startReembedding: EngineAction<z.output<typeof tenants>, z.output<typeof started>> = {
  name: 'reembed.start',
  input: tenants,
  output: started,
  run: async (engine, { tenant }) => {
    const { reembedding } = engine;
    // Without a name the spaces are meant too, which are no tenants of their own.
    const only = tenant === undefined ? undefined : (await chooseTenant(engine, { tenant })).id;
    const jobs = [];
    for (const { tenantId, model } of await reembedding.outdated()) {
      if ((only ?? tenantId) !== tenantId) continue;
      jobs.push({ tenantId, id: (await reembedding.start(tenantId)).id, from: model });
    }
    return { model: reembedding.model, jobs };
  },
};

const jobOfTenant = z.object({ tenantId: z.string(), id: z.string() });

/** How far a job is. */
export const readJob: EngineAction<z.output<typeof jobOfTenant>, Output<'job'>> = {
  name: 'job',
  input: jobOfTenant,
  output: routes.job.response,
  run: (engine, { tenantId, id }) => engine.agent(tenantId).job({ id }),
};
