import { SvcError } from '../../contract/errors.ts';
import type { Dependencies } from '../../engine/context.ts';
import { serviceContext } from '../../engine/service-context.ts';
import type { Job } from '../../jobs/contract.ts';
import { createWorkJob } from '../../jobs/work.ts';
import { findOutdated } from './follow-choice.ts';
import { reembedRunner } from './reembed-runner.ts';
import { startReembed } from './start-reembed.ts';

/** The change from one embedder to another, for the operator. */
export interface Reembedding {
  /** Model of the embedder in force. */
  readonly model: string;
  /** Tenants whose recalls another model still answers, 500 at most. */
  outdated(): Promise<{ readonly tenantId: string; readonly model: string }[]>;
  /**
   * Starts to re-embed a tenant, or finds the job that does.
   *
   * @throws SvcError `UNAVAILABLE` when the embedder gives no vectors.
   */
  start(tenantId: string): Promise<Job>;
  /**
   * Does what has been started, in this process, until nothing is due.
   *
   * @returns how many steps it made.
   */
  work(signal: AbortSignal): Promise<number>;
}

export function createReembedding(dependencies: Dependencies): Reembedding {
  const { spaces } = dependencies;
  const runJobs = createWorkJob([reembedRunner]);
  return {
    model: spaces.current,
    outdated: async () =>
      (await findOutdated(dependencies)).map(({ tenant_id, model }) => ({ tenantId: tenant_id, model })),
    start: async (tenantId) => {
      await spaces.choose().catch((error: unknown) => {
        throw new SvcError('UNAVAILABLE', error instanceof Error ? error.message : 'The embedder is away.');
      });
      const context = serviceContext(dependencies, tenantId);
      return context.write((tx) => startReembed(tx, context));
    },
    work: (signal) => runJobs(dependencies, signal),
  };
}
