import type { Actor, Call, CallUser } from '../kernel/context/call.ts';
import type { EngineSettings, Services } from '../kernel/context/context.ts';
import { invalid, SvcError } from '../kernel/contract/errors.ts';
import type { Route } from '../kernel/contract/route.ts';
import { redactText } from '../secrets/redact.ts';

/** Whose memories a call works on. */
export type Address = Pick<Call, 'tenantId' | 'agentId' | 'user'>;

/** Who calls what, and the user that the call names. */
interface Named {
  readonly route: Route;
  readonly agentId: string;
  readonly actor: Actor;
  readonly userId: string | undefined;
}

/**
 * Takes the user that a call names out of its fields: no operation needs to know of it.
 *
 * @throws SvcError `VALIDATION_ERROR` for an id with a secret in it, which would be kept: what is taken out elsewhere would make
 *   one user of several here.
 */
export function takeUser(
  { users }: Route,
  { redactSecrets }: EngineSettings,
  fields: object,
): { userId: string | undefined; fields: object } {
  const { user_id: named = '' } = fields as { user_id?: string };
  const [kind] = redactText(named, redactSecrets).kinds;
  if (kind !== undefined) {
    throw invalid('user_id', `holds a secret (${kind}), which would be kept; name the user otherwise`);
  }
  if (users === undefined) return { userId: undefined, fields };
  const { user_id: userId, ...rest } = fields as { user_id?: string };
  return { userId, fields: rest };
}

/**
 * Finds whose memories a call works on. A user of whom nothing is known yet is made where something is stored for it.
 *
 * @throws SvcError `FORBIDDEN` where the key is bound to another user; `NOT_FOUND` where something of a user is to be changed that
 *   has nothing.
 */
export async function addressOf(
  services: Services,
  { route, agentId, actor, userId }: Named,
): Promise<Address> {
  const id = requireBinding(actor, userId);
  const own: Address = { tenantId: agentId, agentId };
  if (id === undefined || route.users === 'open') return own;
  const user = await findUser(services, route, { agentId, id, actor });
  if (user) return { tenantId: user.tenantId, agentId, user };
  // Nothing is stored under a new id.
  return route.users === 'own' ? { ...own, tenantId: services.ids() } : own;
}

/** @returns the user that a call concerns, by its field or by its key. */
function requireBinding({ boundTo }: Actor, userId: string | undefined): string | undefined {
  if (boundTo === undefined) return userId;
  if (userId !== undefined && userId !== boundTo) {
    throw new SvcError(
      'FORBIDDEN',
      'user_id: this API key is bound to another user. Leave user_id out, or use a key of the agent.',
      {
        details: [{ path: 'user_id', message: 'is not the user that the API key is bound to' }],
      },
    );
  }
  return boundTo;
}

async function findUser(
  { users }: Services,
  { method, access, path }: Route,
  { agentId, id, actor }: { readonly agentId: string; readonly id: string; readonly actor: Actor },
): Promise<CallUser | undefined> {
  const writes = method !== 'GET' && access !== 'read';
  if (!writes) return users.find(agentId, id);
  if (!path.includes('{id}')) return users.ensure(agentId, id, actor);
  const user = await users.find(agentId, id);
  if (!user) throw new SvcError('NOT_FOUND', 'Nothing is stored for this user.');
  return user;
}

const LISTS = ['memories', 'items'];
const SINGLES = ['memory', 'item'];

/** Adds the user to what an answer shows of the user's. */
export function withUser(answer: object, { id: user_id }: CallUser): object {
  const marked = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (SINGLES.includes(name) && value) return [name, { ...value, user_id }];
    if (LISTS.includes(name) && Array.isArray(value))
      return [name, value.map((one) => ({ ...one, user_id }))];
    return [name, value];
  });
  return Object.fromEntries(marked);
}
