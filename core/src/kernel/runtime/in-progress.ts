import { endsWithin } from './waiting.ts';

/** Follows work in progress, so that an end can wait for it, and refuses work that comes after the end has begun. */
export class InProgress {
  readonly #refusal: () => Error;
  readonly #works = new Set<Promise<unknown>>();
  #isEnding = false;

  /** @param refusal Makes the error by which later work is refused. */
  constructor(refusal: () => Error) {
    this.#refusal = refusal;
  }

  /** Begins a work at once; rejects where the end has begun. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isEnding) return Promise.reject(this.#refusal());
    const running = work();
    this.#works.add(running);
    const done = () => void this.#works.delete(running);
    running.then(done, done);
    return running;
  }

  /**
   * Refuses work from now on, and waits for what is in progress.
   *
   * @param graceMs Milliseconds after which it waits no longer; default: none.
   */
  async end(graceMs?: number): Promise<void> {
    this.#isEnding = true;
    const ended = Promise.allSettled(this.#works);
    if (graceMs === undefined) await ended;
    else await endsWithin(ended, graceMs);
  }
}
