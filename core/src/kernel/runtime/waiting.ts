/**
 * Waits for work until a signal fires: somebody else's code may not listen to the signal that it is given.
 *
 * @throws the reason of the signal.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Whether work ends within so many milliseconds. It goes on where it does not. */
export async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), milliseconds);
  });
  try {
    return await Promise.race([work.then(() => true), over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A limit of time for something, beside the signal that ends it. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** To be called when nobody listens to the signal any more. */
  end(): void;
}

/**
 * A signal that fires with another one, or after a time. Unlike `AbortSignal.any` it leaves nothing behind at a signal that lives
 * as long as the process, which Node 20 does not clean up.
 */
export function limitTime(signal: AbortSignal, timeoutMs: number): TimeLimit {
  const limited = new AbortController();
  const abort = () => limited.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  const slow = () => limited.abort(new DOMException(`nothing came within ${timeoutMs} ms`, 'TimeoutError'));
  const timer = setTimeout(slow, timeoutMs);
  const end = () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  };
  return { signal: limited.signal, end };
}

/**
 * Waits for statements that were sent one after the other. When one fails, the later ones fail with it, in any order; this
 * throws the error of the first.
 */
export async function awaitInOrder<Answers extends readonly unknown[]>(
  sent: {
    readonly [Place in keyof Answers]: Promise<Answers[Place]>;
  },
): Promise<Answers> {
  const settled = await Promise.allSettled(sent as readonly Promise<unknown>[]);
  const answers = settled.map((one) => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
  return answers as unknown as Answers;
}
