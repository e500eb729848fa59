import { z } from 'zod';
import type { Route } from '../contract/index.ts';
import type { Actor, Context, Dependencies } from './context.ts';
import { createWriter } from './write.ts';

/** Who calls where nobody is named. */
export const AGENT: Actor = { source: 'agent', credentialId: null };

/** Stands where a call's route would: what the service does by itself is not counted and answers nobody. */
const UPKEEP: Route = {
  method: 'POST',
  path: '/',
  access: 'human',
  metering: 'free',
  summary: 'Background work',
  spec: 'Design 3, jobs',
  request: z.strictObject({}),
  response: z.unknown(),
};

/**
 * A context for work the service does by itself in one tenant, such as the end of a cooling period.
 *
 * @param actor Who its writes are recorded under; default: the agent.
 */
export function serviceContext(deps: Dependencies, tenantId: string, actor: Actor = AGENT): Context {
  const base = {
    ...deps,
    tenantId,
    actor,
    options: {},
    route: UPKEEP,
    now: deps.clock(),
  };
  return {
    ...base,
    read: (work) => deps.database.read(tenantId, work),
    ...createWriter(base, ['upkeep']),
  };
}
