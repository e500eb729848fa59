import { systemContext } from '../../kernel/commit/system-context.ts';
import type { Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Job } from '../jobs/contract.ts';
import { createJobTask } from '../jobs/job-task.ts';
import { reembedHandler } from './reembed-handler.ts';
import { findOutdated, startReembed } from './reembed-task.ts';

/** The change from one embedder to another, for the operator. */
export interface Reembedding {
  /** Model of the current embedder. */
  readonly model: string;
  /** Tenants whose active model is another one, 500 at most. */
  outdated(): Promise<{ readonly tenantId: string; readonly model: string }[]>;
  /**
   * Starts the job that re-embeds a tenant, or returns the unfinished one.
   *
   * @throws SvcError `UNAVAILABLE` when the embedder gives no vectors.
   */
  start(tenantId: string): Promise<Job>;
  /**
   * Runs started jobs in this process until none is due.
   *
   * @returns the number of steps.
   */
  work(signal: AbortSignal): Promise<number>;
}

export function createReembedding(services: Services): Reembedding {
  const { embeddingModels } = services;
  const runJobs = createJobTask([reembedHandler]);
  return {
    model: embeddingModels.current,
    outdated: async () =>
      (await findOutdated(services)).map(({ tenant_id, model }) => ({ tenantId: tenant_id, model })),
    start: async (tenantId) => {
      await embeddingModels.activate().catch((error: unknown) => {
        throw new SvcError('UNAVAILABLE', error instanceof Error ? error.message : 'The embedder is away.');
      });
      const context = await systemContext(services, tenantId);
      return context.write((tx) => startReembed(tx, context));
    },
    work: (signal) => runJobs(services, signal),
  };
}
