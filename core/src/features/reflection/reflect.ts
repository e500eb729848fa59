import type { Context, Operation } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import type { Job } from '../jobs/contract.ts';
import { startJob } from '../jobs/start.ts';
import { loadReflection } from './config.ts';
import type { reflectionRoutes } from './contract.ts';
import type { ReflectInput } from './state.ts';

/** Starts a consolidation, or answers the one that has not ended. */
export const reflect: Operation<typeof reflectionRoutes.reflect> = (
  context,
  { older_than_days, archive_sources },
) =>
  context.write(async (tx) => ({
    outcome: 'queued' as const,
    job: await startReflection(tx, context, {
      ...withoutUndefined({ olderThanDays: older_than_days, archiveSources: archive_sources }),
    }),
  }));

/** Queues the job, with the agent's settings where nothing else is asked. */
export async function startReflection(
  tx: Tx,
  context: Context,
  asked: { readonly olderThanDays?: number; readonly archiveSources?: boolean } = {},
): Promise<Job> {
  const settings = { ...(await loadReflection(tx, context.tenantId)), ...asked };
  const input: ReflectInput = {
    before: new Date(context.now.getTime() - settings.olderThanDays * DAY_MS).toISOString(),
    archiveSources: settings.archiveSources,
  };
  return startJob(tx, context, { kind: 'reflect', input, singleton: 'reflect' });
}
