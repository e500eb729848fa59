import { type AgentMemory, type Route, routes } from '../app/contract.ts';
import { isRemote, markRemote } from '../client/remote.ts';
import { createMethods } from '../kernel/contract/route.ts';
import { shareCircuit } from './circuit.ts';
import { forgetOldest, type MemoryOptions } from './options.ts';

/** Users of one memory whose object is kept; what was said to one that is not begins as a new conversation. */
const KEPT_USERS = 10_000;

const made = new WeakMap<AgentMemory, Map<string, AgentMemory>>();
const userOf = new WeakMap<AgentMemory, string>();

/**
 * The memory of one user of the agent: every call that can concern a user is about this one, and sees the agent's own beside. The
 * same object each time, so that conversations go on.
 *
 * @throws TypeError where `user` is no id
 */
export function memoryOfUser(memory: AgentMemory, user: string | number | bigint): AgentMemory {
  const userId = requireUserId(user, 'memoryOfUser: the second argument');
  const users = made.get(memory) ?? new Map<string, AgentMemory>();
  made.set(memory, users);
  const known = users.get(userId);
  if (known) {
    // The one used last is the last to go.
    users.delete(userId);
    users.set(userId, known);
    return known;
  }
  const methods = memory as unknown as Readonly<Record<string, (...given: unknown[]) => Promise<object>>>;
  const ofUser: AgentMemory = createMethods(routes, (name, input, options) => {
    const { users: routing }: Route = routes[name];
    const concerns = routing !== undefined && routing !== 'open';
    const given = concerns ? { ...Object(input), user_id: userId } : input;
    // The memory has a method for each route.
    return (methods[name] as (...given: unknown[]) => Promise<object>)(given, options);
  });
  if (isRemote(memory)) markRemote(ofUser);
  shareCircuit(memory, ofUser);
  users.set(userId, ofUser);
  userOf.set(ofUser, userId);
  forgetOldest(users, KEPT_USERS);
  return ofUser;
}

/**
 * Of what a memory answers, what is its user's own, without the agent's that stands beside; all of it where it is of no user.
 */
export function ownOnly<T extends { readonly user_id?: string | null | undefined }>(
  memory: AgentMemory,
  answered: readonly T[],
): T[] {
  // A key that is bound to a user answers for them, whatever is asked; the agent itself sees nothing of its users.
  const userId = userOf.get(memory) ?? answered.find(({ user_id }) => user_id)?.user_id;
  return answered.filter(({ user_id }) => !userId || user_id === userId);
}

/**
 * A user's id as frameworks hand it on, untyped: ids of databases are often numbers. What is no id must not be taken for no user:
 * all those users would share one memory.
 *
 * @param given what may have a field with the id
 * @param where where the field stands, for the error
 * @returns undefined where there is no such field
 * @throws TypeError for anything else, such as `null` and `undefined`, which apps have for somebody who is not signed in
 */
export function userIdIn(given: unknown, field: string, where: string): string | undefined {
  const held: Readonly<Record<string, unknown>> = Object(given);
  return field in held ? requireUserId(held[field], where) : undefined;
}

function requireUserId(value: unknown, where: string): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'bigint' || Number.isSafeInteger(value)) return String(value);
  throw new TypeError(
    `${where} must be the id of a user, a text of 1 to 128 characters; leave it out for what is the agent’s own, which all users share`,
  );
}

/**
 * The options of an adapter for one user, where there is one.
 *
 * @param user the user of this call; default: that of the options
 */
export function optionsOfUser<Options extends MemoryOptions>(options: Options, user?: string): Options {
  const userId = user ?? userIdIn(options, 'userId', 'userId');
  return userId === undefined ? options : { ...options, memory: memoryOfUser(options.memory, userId) };
}
