import type { AgentMemory } from '../contract/index.ts';
import type { MemoryOptions, MemoryWarning } from './options.ts';

const DEFAULT_TIMEOUT_MS = 5_000;

const warned = new WeakSet<AgentMemory>();

/**
 * Does something with the memory that the model call must not depend on: a failure, or no answer in time, becomes a
 * warning and `undefined`. Only the caller's own abort is thrown.
 *
 * @param what completes "The memory service could not ..."
 * @param work gets the signal that ends its calls
 */
export async function attempt<T>(
  options: MemoryOptions,
  what: string,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  signal?.throwIfAborted();
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  const either = signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal;
  try {
    return await orAborted(work(either), either);
  } catch (cause) {
    signal?.throwIfAborted();
    warn(options, { message: `The memory service could not ${what}; the call goes on without.`, cause });
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Tells whoever listens; on the console only once for each memory. */
export function warn({ memory, onWarning }: MemoryOptions, warning: MemoryWarning): void {
  if (onWarning) {
    onWarning(warning);
    return;
  }
  if (warned.has(memory)) return;
  warned.add(memory);
  const why = warning.cause instanceof Error ? ` (${warning.cause.message})` : '';
  // biome-ignore lint/suspicious/noConsole: the default of an option, as the frameworks' own warnings.
  console.warn(`@svc-memory: ${warning.message}${why}`);
}

/** An engine in this process does not look at the signal while it works. */
function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
