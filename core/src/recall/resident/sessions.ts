import type { Columns } from './columns.ts';
import type { Ids } from './ids.ts';
import { Numbered } from './numbered.ts';

const NONE = -1;

interface Ends {
  first: number;
  last: number;
}

/** Memories of each session in the order of their time, then id: linked by their columns. */
export class Sessions {
  readonly #sessions = new Numbered<Ends>();
  readonly #names: string[] = [];
  readonly #columns: Columns;
  readonly #ids: Ids;

  constructor(columns: Columns, ids: Ids) {
    this.#columns = columns;
    this.#ids = ids;
  }

  get bytes(): number {
    return this.#sessions.bytes;
  }

  /** The number that the columns have of it; undefined where no memory was of it. */
  find(sessionId: string): number | undefined {
    const number = this.#sessions.find(sessionId);
    return number === undefined ? undefined : number + 1;
  }

  nameOf(place: number): string | null {
    return this.#names[(this.#columns.sessions[place] ?? 0) - 1] ?? null;
  }

  /** Puts a memory between its neighbours, beginning with the newest: most come in their order. */
  add(place: number, sessionId: string | null): void {
    const { sessions, previous, next } = this.#columns;
    previous[place] = NONE;
    next[place] = NONE;
    sessions[place] = 0;
    if (sessionId === null) return;
    const number = this.#sessions.numberOf(sessionId, { first: NONE, last: NONE });
    this.#names[number] = sessionId;
    sessions[place] = number + 1;
    const ends = this.#endsOf(place);
    let before = ends.first !== NONE && this.#isBefore(place, ends.first) ? NONE : ends.last;
    while (before !== NONE && this.#isBefore(place, before)) before = previous[before] ?? NONE;
    const after = before === NONE ? ends.first : (next[before] ?? NONE);
    this.#link(ends, before, place);
    this.#link(ends, place, after);
  }

  remove(place: number): void {
    const { sessions, previous, next } = this.#columns;
    if (sessions[place] === 0) return;
    this.#link(this.#endsOf(place), previous[place] ?? NONE, next[place] ?? NONE);
  }

  /** The one beside a memory in its session; undefined at the end. */
  beside(place: number, direction: -1 | 1): number | undefined {
    const { previous, next } = this.#columns;
    const other = (direction === 1 ? next : previous)[place] ?? NONE;
    return other === NONE ? undefined : other;
  }

  #endsOf(place: number): Ends {
    return this.#sessions.values[(this.#columns.sessions[place] ?? 0) - 1] ?? { first: NONE, last: NONE };
  }

  /** Makes two stand side by side; beside nothing stand the first and the last. */
  #link(ends: Ends, before: number, after: number): void {
    if (before === NONE) ends.first = after;
    else this.#columns.next[before] = after;
    if (after === NONE) ends.last = before;
    else this.#columns.previous[after] = before;
  }

  #isBefore(one: number, other: number): boolean {
    const { times } = this.#columns;
    const apart = (times[one] ?? 0) - (times[other] ?? 0);
    return apart === 0 ? this.#ids.isBefore(one, other) : apart < 0;
  }
}
