/** What Node 18 lacks of what the client of the service uses; Node 20 has all of it. */
import { webcrypto } from 'node:crypto';

function supply(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

supply(globalThis, 'crypto', webcrypto);
supply(String.prototype, 'isWellFormed', function isWellFormed(this: string) {
  return !/\p{Surrogate}/u.test(String(this));
});
supply(AbortSignal, 'any', (signals: readonly AbortSignal[]) => {
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true });
  }
  return either.signal;
});
