import { dateWords, units } from './units.ts';

/**
 * The reason or the beginning that a fact tells beside what it says, while it is read: "because rents rose", "since January".
 * Its words say nothing of what holds. Behind a date goes on what was said: "costs since January 58 dollars".
 */
export class Reason {
  #isTold = false;
  /** Of "since January": whether its date was read. */
  #date: 'awaited' | 'read' | undefined;

  begin(kind: 'reason' | 'since'): void {
    this.#isTold = true;
    this.#date = kind === 'since' ? 'awaited' : undefined;
  }

  end(): void {
    this.#isTold = false;
  }

  /** Whether a word belongs to it; the first behind its date ends it. */
  holds(key: string): boolean {
    if (!this.#isTold) return false;
    const isDate = dateWords.has(key) || units.get(key) === 'time' || /^(?:19|20)\d\d$/.test(key);
    if (this.#date !== undefined && isDate) this.#date = 'read';
    else if (this.#date === 'read') this.#isTold = false;
    return this.#isTold;
  }
}
