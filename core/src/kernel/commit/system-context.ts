import { z } from 'zod';
import type { Actor, CallSpace } from '../context/call.ts';
import type { Context, Services } from '../context/context.ts';
import type { Route } from '../contract/route.ts';
import { isErased } from '../tenancy/tenants.ts';
import { isForgotten } from '../tenancy/users.ts';
import { createContext } from './call-context.ts';

/** Who calls where nobody is named. */
export const AGENT: Actor = { source: 'agent', credentialId: null };

/** Who does what nobody asked for. */
const SERVICE: Actor = { source: 'agent', credentialId: null, isService: true };

/** The route of work that nobody asked for: it is not counted. */
const SYSTEM_ROUTE: Route = {
  method: 'POST',
  path: '/',
  access: 'human',
  metering: 'free',
  summary: 'Background work',
  request: z.strictObject({}),
  response: z.unknown(),
};

/**
 * A context for work the service does by itself in the tenant of an agent, a user or a space, such as ending a cooling period.
 *
 * @param actor Who its writes are recorded under; default: the agent; the audit log then names the service.
 * @param space Where it works for an agent in a space: in its tenant, by the agent's right.
 */
export async function systemContext(
  services: Services,
  tenantId: string,
  actor: Actor = SERVICE,
  space?: CallSpace,
): Promise<Context> {
  const holder = await services.users.holderOf(tenantId);
  const place = space ? { tenantId: space.id, space } : { tenantId };
  const call = { ...holder, ...place, actor, isBackground: true, now: services.clock() };
  return createContext(services, { ...call, options: {}, route: SYSTEM_ROUTE }, ['system']);
}

/** What the service does by itself for one tenant after the other; undefined where its user was forgotten or its space deleted. */
export async function unlessErased<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isForgotten(error) || isErased(error)) return undefined;
    throw error;
  }
}
