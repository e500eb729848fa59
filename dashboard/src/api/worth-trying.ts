/** Resolves after a pause, or when the network is back, the human looks at the page, or `signal` aborts. */
export function worthTrying(signal: AbortSignal, pauseMs: number): Promise<void> {
  return new Promise((resolve) => {
    const waiting = new AbortController();
    const end = () => {
      waiting.abort();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, pauseMs);
    const options = { signal: waiting.signal };
    window.addEventListener('online', end, options);
    window.addEventListener('focus', end, options);
    document.addEventListener('visibilitychange', end, options);
    signal.addEventListener('abort', end, options);
  });
}
