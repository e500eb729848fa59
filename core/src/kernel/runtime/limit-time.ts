/** A limit of time for something, beside the signal that ends it. */
interface TimeLimit {
  readonly signal: AbortSignal;
  /** To be called when nobody listens to the signal any more. */
  end(): void;
}

/**
 * A signal that fires with another one, or after a time. Unlike `AbortSignal.any` it leaves nothing behind at a signal that lives as
 * long as the process, which Node 20 does not clean up.
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
