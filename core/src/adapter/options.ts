import type { AgentMemory } from '../app/contract.ts';

/** What every adapter of a framework takes. */
export interface MemoryOptions {
  /** The agent's memory: `engine.agent(...)` or `connect(...)`. Give the same object to all functions of an adapter. */
  readonly memory: AgentMemory;
  /** Your id of the conversation; ties its turns together. One conversation per `memory` is assumed without it. */
  readonly sessionId?: string | undefined;
  /** Your id of the user that the conversation is with; default: none, what is remembered is the agent's own. */
  readonly userId?: string;
  /** Most milliseconds to wait for an answer before the call goes on without; default 900, for an engine in this process 5,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds to leave the memory service alone after it gave no answer in time or could not answer; default 5,000, at least 50.
   * Until it answers again, calls use what they have of it, and what is to be stored waits.
   */
  readonly cooldownMs?: number | undefined;
  /**
   * When the model's input gets something of the memory: `always` (default), at the `start` of a session and after a compaction
   * only, or `never`.
   */
  readonly recall?: 'always' | 'start' | 'never' | undefined;
  /** When turns are stored: `always` (default), only before a `compaction`, or `never`, which makes the memory read-only. */
  readonly store?: 'always' | 'compaction' | 'never' | undefined;
  /** Told of each new text that the model's input gets. */
  readonly onInjection?: ((injection: MemoryInjection) => void) | undefined;
  /** Told when the memory service could not be used; default: the first time, `console.warn`. */
  readonly onWarning?: ((warning: MemoryWarning) => void) | undefined;
}

/** Options that are milliseconds. */
const TIMES = ['timeoutMs', 'cooldownMs'] as const;

/**
 * Checks what JavaScript callers pass, so that a mistake shows where it was made.
 *
 * @param where The function or class that was called.
 * @throws TypeError
 */
export function requireOptions(where: string, options: unknown): void {
  const { memory, ...given }: Readonly<Record<string, unknown>> = Object(options);
  const { boot, recall } = Object(memory) as { boot?: unknown; recall?: unknown };
  if (typeof boot !== 'function' || typeof recall !== 'function') {
    throw new TypeError(
      `${where}: memory is required; pass { memory: connect({ url, apiKey }) } or { memory: engine.agent(tenantId) }`,
    );
  }
  for (const name of TIMES) {
    const time = given[name];
    if (time !== undefined && !(typeof time === 'number' && time >= 0)) {
      throw new TypeError(`${where}: ${name} must be a number of milliseconds from 0 on`);
    }
  }
}

/**
 * Tells a listener among the options. What it throws, also as a promise, is its own affair: the model call goes on.
 *
 * @returns whether it took the value
 */
export function notifyListener<T>(listener: ((value: T) => unknown) | undefined, value: T): boolean {
  try {
    const told = listener?.(value);
    if (told instanceof Promise) told.catch(complain);
    return listener !== undefined;
  } catch (error) {
    complain(error);
    return false;
  }
}

/**
 * Hands what is being stored over to `waitUntil` of the options, which then waits for it in place of the model call. One that
 * throws, as some do outside of a request, has taken nothing over.
 *
 * @returns what the model call still has to wait for
 */
export function handOver(
  waitUntil: ((storing: Promise<void>) => void) | undefined,
  storing: Promise<void>,
): Promise<void> {
  return notifyListener(waitUntil, storing) ? Promise.resolve() : storing;
}

function complain(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: there is nobody else to tell.
  console.warn('@svc-memory: a listener of the options has thrown', error);
}

/** A text from the memory service in a model's input. */
export interface MemoryInjection {
  /** At the start of a session, after a compaction, or for one message of the user. */
  readonly kind: 'boot' | 'recovery' | 'recall';
  readonly text: string;
  readonly sessionId?: string | undefined;
}

/** Something that was not done because the memory service could not be used. The model call went on without it. */
export interface MemoryWarning {
  readonly message: string;
  /** Why; an `SvcError` where the service said so. */
  readonly cause?: unknown;
}

/** Forgets what was put first of more than so many, so that what a process remembers does not grow for as long as it lives. */
export function forgetOldest(remembered: Map<unknown, unknown> | Set<unknown>, most: number): void {
  for (const oldest of remembered.keys()) {
    if (remembered.size <= most) return;
    remembered.delete(oldest);
  }
}
