import type { Columns } from './columns.ts';
import { firstPlace } from './first-place.ts';
import type { Ids } from './ids.ts';
import { Numbered } from './numbered.ts';

/** What a place in a list takes, with some room for more. */
const PLACE_BYTES = 12;

/** Places of the memories of each session, in the order of their time, then id. */
export class Sessions {
  readonly #sessions = new Numbered<number[]>();
  readonly #names: string[] = [];
  readonly #columns: Columns;
  readonly #ids: Ids;
  #count = 0;

  constructor(columns: Columns, ids: Ids) {
    this.#columns = columns;
    this.#ids = ids;
  }

  get bytes(): number {
    return this.#sessions.bytes + this.#count * PLACE_BYTES;
  }

  /** The number that the columns have of it; undefined where no memory was of it. */
  find(sessionId: string): number | undefined {
    const number = this.#sessions.find(sessionId);
    return number === undefined ? undefined : number + 1;
  }

  nameOf(place: number): string | null {
    return this.#names[(this.#columns.sessions[place] ?? 0) - 1] ?? null;
  }

  /** Puts a memory between its neighbours. */
  add(place: number, sessionId: string | null): void {
    this.#columns.sessions[place] = 0;
    if (sessionId === null) return;
    const number = this.#sessions.numberOf(sessionId, []);
    this.#names[number] = sessionId;
    this.#columns.sessions[place] = number + 1;
    const session = this.#sessionOf(place);
    const last = session.at(-1);
    // Most come in their order.
    if (last === undefined || this.#isBefore(last, place)) session.push(place);
    else session.splice(this.#rankOf(session, place), 0, place);
    this.#count += 1;
  }

  remove(place: number): void {
    const session = this.#sessionOf(place);
    const rank = this.#rankOf(session, place);
    if (session[rank] !== place) return;
    session.splice(rank, 1);
    this.#count -= 1;
  }

  /**
   * Tells the nearest of those before a memory in its session that fit, and of those behind it, nearest first; of each how
   * many places after the memory it stands, negative before it.
   */
  around(
    place: number,
    { most, fits }: { most: number; fits(other: number): boolean },
    tell: (other: number, distance: number) => void,
  ): void {
    const session = this.#sessionOf(place);
    if (session.length < 2) return;
    const rank = this.#rankOf(session, place);
    for (const direction of [-1, 1]) {
      let found = 0;
      for (let at = rank + direction; at >= 0 && at < session.length && found < most; at += direction) {
        const other = session[at] ?? 0;
        if (!fits(other)) continue;
        found += 1;
        tell(other, direction * found);
      }
    }
  }

  #sessionOf(place: number): number[] {
    return this.#sessions.values[(this.#columns.sessions[place] ?? 0) - 1] ?? [];
  }

  /** Where a memory stands in its session, or would stand. */
  #rankOf(session: readonly number[], place: number): number {
    return firstPlace(session.length, (rank) => !this.#isBefore(session[rank] ?? 0, place));
  }

  #isBefore(one: number, other: number): boolean {
    const { times } = this.#columns;
    const apart = (times[one] ?? 0) - (times[other] ?? 0);
    return apart === 0 ? this.#ids.isBefore(one, other) : apart < 0;
  }
}
