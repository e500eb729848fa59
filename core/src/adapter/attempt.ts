import type { AgentMemory } from '../app/contract.ts';
import { isRemote } from '../client/remote.ts';
import { circuitOf } from './circuit.ts';
import { type MemoryOptions, type MemoryWarning, notifyListener } from './options.ts';

/** An engine in this process takes longer for its first answer, but does not hang. */
const DEFAULT_TIMEOUT_MS = { remote: 900, inProcess: 5_000 };
const DEFAULT_COOLDOWN_MS = 5_000;

const warned = new WeakSet<AgentMemory>();

/**
 * Does something with the memory that the model call must not depend on: a failure, or no answer in time, becomes a
 * warning and `undefined`. The service is then left alone for some seconds; attempts come to nothing at once. Only the caller's
 * own abort is thrown.
 *
 * @param what completes "The memory service could not ...", with what comes of it
 * @param work goes on when it takes too long, for up to 30 seconds: what it finds then is for the next turn
 */
export async function attempt<T>(
  options: MemoryOptions,
  what: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  const longest = isRemote(options.memory) ? DEFAULT_TIMEOUT_MS.remote : DEFAULT_TIMEOUT_MS.inProcess;
  const { timeoutMs = longest, cooldownMs = DEFAULT_COOLDOWN_MS } = options;
  const circuit = circuitOf(options.memory);
  const patience = circuit.patience(timeoutMs);
  if (patience === undefined) return undefined;
  try {
    return await circuit.call(work, { patience, timeoutMs, cooldownMs, signal });
  } catch (cause) {
    signal?.throwIfAborted();
    warn(options, { message: `The memory service could not ${what}.`, cause });
    return undefined;
  }
}

/** Tells whoever listens; on the console only once for each memory. */
export function warn({ memory, onWarning }: MemoryOptions, warning: MemoryWarning): void {
  if (onWarning) {
    notifyListener(onWarning, warning);
    return;
  }
  if (warned.has(memory)) return;
  warned.add(memory);
  const why = warning.cause instanceof Error ? ` (${warning.cause.message})` : '';
  // biome-ignore lint/suspicious/noConsole: the default of an option, as the frameworks' own warnings.
  console.warn(`@svc-memory: ${warning.message}${why}`);
}
