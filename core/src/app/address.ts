import type { Actor, Call, CallUser } from '../kernel/context/call.ts';
import type { EngineSettings, originOf, Services } from '../kernel/context/context.ts';
import { invalid, SvcError } from '../kernel/contract/errors.ts';
import { ALL_USERS, OWN_SPACE } from '../kernel/contract/fields.ts';
import type { Route } from '../kernel/contract/route.ts';
import { includesRight, noSpace } from '../kernel/tenancy/space-rights.ts';
import { forgotten } from '../kernel/tenancy/users.ts';
import { redactText } from '../secrets/redact.ts';

/** Whose memories a call works on. */
export type Address = Pick<
  Call,
  'tenantId' | 'agentId' | 'user' | 'space' | 'readsSpaces' | 'readsOnlySpaces' | 'readsUsers'
>;

/** Most users that one search or list reads. An app with more asks for them one by one. */
const MOST_USERS = 100;

/** Who calls what, and the user or space that the call names. */
interface Named {
  readonly route: Route;
  readonly agentId: string;
  readonly actor: Actor;
  readonly userId: string | undefined;
  readonly spaceId?: string | undefined;
  /** The snapshot of when the call began, where that was before. */
  readonly snapshot?: string | undefined;
}

/**
 * Takes the user and the space that a call names out of its fields, so that no operation needs to know of them.
 *
 * @throws SvcError `VALIDATION_ERROR` where the user's id holds a secret. Elsewhere secrets are cut out, but here that would give
 *   several users the same id.
 */
export function takeTarget(
  { users, spaces }: Route,
  { redactSecrets }: EngineSettings,
  fields: object,
): { userId: string | undefined; spaceId: string | undefined; fields: object } {
  const { user_id: named = '' } = fields as { user_id?: string };
  const [kind] = redactText(named, redactSecrets).kinds;
  if (kind !== undefined) {
    throw invalid('user_id', `holds a secret (${kind}), which would be kept; name the user otherwise`);
  }
  const { user_id: userId, space_id: spaceId, ...rest } = fields as { user_id?: string; space_id?: string };
  return {
    ...(users === undefined ? { userId: undefined } : { userId }),
    ...(spaces === undefined ? { spaceId: undefined } : { spaceId }),
    fields: {
      ...rest,
      // Where the route serves no users or no spaces, a field of this name is one of its own.
      ...(users === undefined && userId !== undefined && { user_id: userId }),
      ...(spaces === undefined && spaceId !== undefined && { space_id: spaceId }),
    },
  };
}

/**
 * Finds whose memories a call works on. A new user is made by the first write for it.
 *
 * @throws SvcError `FORBIDDEN` where the key is bound to another user, or the agent lacks the right in the space; `NOT_FOUND` where
 *   a call changes something of a user who has nothing, or names a space that does not exist or is not the caller's.
 */
export async function addressOf(services: Services, named: Named): Promise<Address> {
  const { route, agentId, actor, spaceId } = named;
  if (spaceId !== undefined && spaceId !== OWN_SPACE) return addressInSpace(services, named, spaceId);
  const address = await addressOfUser(services, named);
  const readsSpaces = route.readsSpaces || (route.users === 'both' && route.spaces === 'read');
  const readsAll = readsSpaces && spaceId === undefined;
  if (!readsAll || actor.boundTo !== undefined) return address;
  const spaces = await services.spaces.of(agentId);
  return spaces.length === 0 ? address : { ...address, readsSpaces: spaces };
}

/**
 * The address of a call that names a space. A search or list (`users: 'both'`) stays in the agent's tenant, whose plan and log it
 * concerns, and reads only the space. Every other call works in the space's own tenant. Spaces are the agent's: an API key that is
 * bound to a user has none.
 */
async function addressInSpace(
  { spaces }: Services,
  { route, agentId, actor, userId }: Named,
  spaceId: string,
): Promise<Address> {
  if (userId !== undefined) {
    throw invalid(
      'space_id',
      'a space has no users: leave out space_id or user_id, or read with space_id own',
    );
  }
  const space = actor.boundTo === undefined ? await spaces.find(agentId, actor, spaceId) : undefined;
  if (!space) throw noSpace();
  const needed = route.spaces ?? 'manage';
  if (!includesRight(space.right, needed)) {
    throw new SvcError(
      'FORBIDDEN',
      `This needs the right ${needed} in the space, and the agent has ${space.right}. A manager of the space can give it.`,
    );
  }
  if (route.users === 'both')
    return { tenantId: agentId, agentId, readsSpaces: [space], readsOnlySpaces: true };
  return { tenantId: space.id, agentId, space };
}

async function addressOfUser(services: Services, named: Named): Promise<Address> {
  const { route, agentId, actor, userId } = named;
  const id = boundUser(actor, userId);
  const own: Address = { tenantId: agentId, agentId };
  if (id === ALL_USERS) return { ...own, readsUsers: await fewUsers(services, agentId, actor) };
  if (id === undefined || route.users === 'open') return own;
  const changesOne = writes(route) && route.path.includes('{id}');
  const { user: known, snapshot } = await findUser(services, named, id);
  if (known) {
    if (writes(route) && !changesOne) services.users.noteSeen(agentId, known);
    return { tenantId: known.tenantId, agentId, user: { ...known, snapshot } };
  }
  if (changesOne) throw new SvcError('NOT_FOUND', 'Nothing is stored for this user.');
  const user = { id, tenantId: services.ids(), isNew: true, snapshot };
  if (writes(route)) return { tenantId: user.tenantId, agentId, user };
  // A route that reads only what is a user's finds an empty tenant for an unknown one.
  if (route.users === 'own') return { ...own, tenantId: user.tenantId };
  return route.users === 'both' ? { ...own, user } : own;
}

/**
 * A call that writes asks the database, since only that tells what came before an erasure: what a process remembers of a user may be
 * of before one that another process made.
 *
 * @throws SvcError `CONFLICT` where the call began before the user was forgotten: what it says would bring the user back.
 */
async function findUser(
  { users }: Services,
  { route, agentId, snapshot }: Named,
  id: string,
): Promise<{ readonly user: CallUser | undefined; readonly snapshot?: string | undefined }> {
  if (!writes(route)) return { user: await users.find(agentId, id) };
  const found = await users.findNow(agentId, id);
  // In this order: who is forgotten behind the answer above is not there any more when the call writes.
  if (snapshot !== undefined && (await users.wasErasedSince(agentId, id, snapshot))) throw forgotten();
  return { user: found.user, snapshot: snapshot ?? found.snapshot };
}

function writes({ method, access }: Route): boolean {
  return method !== 'GET' && access !== 'read';
}

/** The user that a call concerns, by its field or by its key. Throws where these differ. */
function boundUser({ boundTo }: Actor, userId: string | undefined): string | undefined {
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

/** The users of an agent that one call reads. */
async function fewUsers({ users }: Services, agentId: string, actor: Actor): Promise<readonly CallUser[]> {
  requireAllUsers(actor);
  const all = await users.all(agentId, MOST_USERS + 1);
  if (all.length > MOST_USERS) {
    throw invalid(
      'user_id',
      `the agent has more than ${MOST_USERS} users, too many for one call; GET /users lists them, then ask for each`,
    );
  }
  return all;
}

/** @throws SvcError `FORBIDDEN` where an API key that may only read, or is bound to a user, asks for all users. */
export function requireAllUsers({ readOnly, boundTo }: Actor): void {
  if (!readOnly && boundTo === undefined) return;
  throw new SvcError(
    'FORBIDDEN',
    'user_id: only the agent itself, with a key of scope full, or its human works for all users at once. Name one user.',
    { details: [{ path: 'user_id', message: 'must name one user' }] },
  );
}

const LISTS = ['memories', 'items'];
const SINGLES = ['memory', 'item'];

/** Adds `user_id` or `space_id` to the memories and items of an answer that are a user's or from a space. */
export function withOrigin(answer: object, origin: ReturnType<typeof originOf>): object {
  if (Object.keys(origin).length === 0) return answer;
  const marked = Object.entries(answer).map(([name, value]): [string, unknown] => {
    if (SINGLES.includes(name) && value) return [name, { ...value, ...origin }];
    if (LISTS.includes(name) && Array.isArray(value))
      return [name, value.map((one) => ({ ...one, ...origin }))];
    return [name, value];
  });
  return Object.fromEntries(marked);
}
