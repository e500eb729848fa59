import { sql } from 'drizzle-orm';
import { systemContext, unlessErased } from '../../kernel/commit/system-context.ts';
import type { Context, Operation, Services } from '../../kernel/context/context.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { Job } from '../jobs/contract.ts';
import { startJob } from '../jobs/start.ts';
import { memories } from '../records/schema.ts';
import { keepReflection, loadReflection } from './config.ts';
import { DEFAULT_REFLECT_CONFIG, type reflectionRoutes } from './contract.ts';
import { reflections } from './schema.ts';
import type { ReflectInput } from './state.ts';

/** Starts a consolidation, or answers the one that has not ended. */
export const reflect: Operation<typeof reflectionRoutes.reflect> = (context, input) =>
  context.write(async (tx) => ({
    outcome: 'queued' as const,
    job: await startReflection(tx, context, input),
  }));

/** Queues the job, with the agent's settings where nothing else is asked. */
async function startReflection(
  tx: Tx,
  context: Context,
  asked: ParsedOf<typeof reflectionRoutes.reflect> = {},
): Promise<Job> {
  const settings = await loadReflection(tx, context.tenantId);
  const { older_than_days = settings.olderThanDays, archive_sources = settings.archiveSources } = asked;
  const input: ReflectInput = {
    before: new Date(context.now.getTime() - older_than_days * DAY_MS).toISOString(),
    archiveSources: archive_sources,
  };
  return startJob(tx, context, { kind: 'reflect', input, singleton: 'reflect' });
}

/**
 * Starts the reflections that are due, for agents that have something to reflect on and let the service.
 *
 * @returns how many were started.
 */
export async function startDueReflections(dependencies: Services): Promise<number> {
  const { database, clock } = dependencies;
  const now = timestamptz(clock());
  const { every_hours, older_than_days } = DEFAULT_REFLECT_CONFIG;
  const due = await database.system((tx) =>
    // Indexes memories_undigested and memories_type_time, once for each tenant that is due.
    rows<{ tenant_id: string }>(
      tx,
      sql`SELECT tenant.tenant_id FROM ${tenants} tenant
          LEFT JOIN ${reflections} own ON own.tenant_id = tenant.tenant_id
          LEFT JOIN ${reflections} config ON config.tenant_id = coalesce(tenant.agent_id, tenant.tenant_id)
          WHERE coalesce(config.enabled, ${DEFAULT_REFLECT_CONFIG.enabled}::boolean)
            AND (own.scheduled_at IS NULL OR own.scheduled_at > ${now}
                 OR own.scheduled_at <= ${now}
                    - make_interval(hours => coalesce(config.every_hours, ${every_hours}::int)))
            AND (EXISTS (SELECT FROM ${memories} memory
              WHERE memory.tenant_id = tenant.tenant_id AND memory.type = 'episodic' AND memory.digest_id IS NULL
                AND memory.archived_at IS NULL AND memory.occurred_at < ${now}
                    - make_interval(days => coalesce(config.older_than_days, ${older_than_days}::int)))
              OR EXISTS (SELECT FROM ${memories} memory
              WHERE memory.tenant_id = tenant.tenant_id AND memory.type = 'semantic'
                AND memory.archived_at IS NULL AND memory.updated_at > coalesce(own.compared_until, '-infinity')))`,
    ),
  );
  for (const { tenant_id: tenantId } of due) {
    const context = await systemContext(dependencies, tenantId);
    const starting = context.write(async (tx) => {
      await keepReflection(tx, tenantId, { scheduledAt: context.now });
      return startReflection(tx, context);
    });
    await unlessErased(starting);
  }
  return due.length;
}
