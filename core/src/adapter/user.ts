import type { AgentMemory, Route } from '../app/contract.ts';
import { routes } from '../app/contract.ts';
import { isRemote, markRemote } from '../client/remote.ts';
import { createMethods } from '../kernel/contract/route.ts';
import { shareCircuit } from './circuit.ts';
import type { MemoryOptions } from './options.ts';

/** Users of one memory whose object is kept; what was said to one that is not begins as a new conversation. */
const KEPT_USERS = 10_000;

const made = new WeakMap<AgentMemory, Map<string, AgentMemory>>();

/**
 * The memory of one user of the agent: every call that can concern a user is about this one, and sees the agent's own beside. The
 * same object each time, so that conversations go on.
 */
export function memoryOfUser(memory: AgentMemory, userId: string): AgentMemory {
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
  const [oldest] = users.keys();
  if (users.size > KEPT_USERS && oldest !== undefined) users.delete(oldest);
  return ofUser;
}

/** The options of an adapter for one user, where there is one. */
export function optionsOfUser<Options extends MemoryOptions>(
  options: Options,
  userId: string | undefined = options.userId,
): Options {
  return userId === undefined ? options : { ...options, memory: memoryOfUser(options.memory, userId) };
}
