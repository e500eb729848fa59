const REACH_MS = 5_000;
const RELOADED = 'svc-reloaded';

/** Code that could not be loaded, and whether the service was reached just then. */
const failures = new WeakMap<object, Promise<boolean>>();

// Vite tells of every import that fails, of its style sheets too, and then throws the same error.
globalThis.window?.addEventListener('vite:preloadError', ({ payload }) =>
  failures.set(payload, isReachable()),
);

/**
 * Returns whether the service was reached when the code of a page could not be loaded. Undefined for every other error.
 * Where it was reached, the file is gone, as after an update of the service.
 */
export function reachedAtFailure(error: unknown): Promise<boolean> | undefined {
  return typeof error === 'object' && error !== null ? failures.get(error) : undefined;
}

/** Whether the service answers now with its page. */
export async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(REACH_MS);
    return (await fetch('/', { method: 'HEAD', cache: 'no-store', signal })).ok;
  } catch {
    return false;
  }
}

/** Loads the page anew, for code that could not be loaded. */
export function reloadForCode(): void {
  sessionStorage.setItem(RELOADED, '1');
  window.location.reload();
}

/** Whether the page was loaded anew for its code, and none has arrived since. */
export function hasReloadedForCode(): boolean {
  return sessionStorage.getItem(RELOADED) !== null;
}

/** Says that the code of a page is there. */
export function noteArrival(): void {
  sessionStorage.removeItem(RELOADED);
}
