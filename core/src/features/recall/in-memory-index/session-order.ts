import { Dictionary } from './dictionary.ts';
import type { DocumentColumns } from './document-columns.ts';
import type { IdTable } from './ids.ts';

/** What a slot in a list takes, with some room for more. */
const SLOT_BYTES = 12;

/** Which memories beside another in its session are told: at most how many, how many places away, and how long in words. */
interface Neighbourhood {
  readonly most: number;
  readonly within: number;
  readonly longest: number;
}

/** The slots of each session's memories, ordered by time, then id. */
export class SessionOrder {
  readonly #sessions = new Dictionary<number[]>();
  readonly #names: string[] = [];
  readonly #columns: DocumentColumns;
  readonly #ids: IdTable;
  #count = 0;

  constructor(columns: DocumentColumns, ids: IdTable) {
    this.#columns = columns;
    this.#ids = ids;
  }

  get bytes(): number {
    return this.#sessions.bytes + this.#count * SLOT_BYTES;
  }

  /** The number that the columns have of it; undefined where no memory was of it. */
  find(sessionId: string): number | undefined {
    const number = this.#sessions.find(sessionId);
    return number === undefined ? undefined : number + 1;
  }

  nameOf(slot: number): string | null {
    return this.#names[(this.#columns.sessions[slot] ?? 0) - 1] ?? null;
  }

  /** Inserts a memory in order. */
  add(slot: number, sessionId: string | null): void {
    this.#columns.sessions[slot] = 0;
    if (sessionId === null) return;
    const number = this.#sessions.numberOf(sessionId, []);
    this.#names[number] = sessionId;
    this.#columns.sessions[slot] = number + 1;
    const session = this.#sessionOf(slot);
    const last = session.at(-1);
    // Most memories arrive in order.
    if (last === undefined || this.#isBefore(last, slot)) session.push(slot);
    else session.splice(this.#rankOf(session, slot), 0, slot);
    this.#count += 1;
  }

  remove(slot: number): void {
    const session = this.#sessionOf(slot);
    const rank = this.#rankOf(session, slot);
    if (session[rank] !== slot) return;
    session.splice(rank, 1);
    this.#count -= 1;
  }

  /**
   * Tells the nearest of those before a memory in its session that fit, and of those behind it, nearest first; of each how
   * many places after the memory it stands among them, negative before it.
   *
   * @param wanted How many on either side, up to how many places away, and of what lengths in words.
   */
  around(
    slot: number,
    { wanted, fits }: { wanted: Neighbourhood; fits(other: number): boolean },
    tell: (other: number, distance: number) => void,
  ): void {
    const session = this.#sessionOf(slot);
    if (session.length < 2) return;
    const rank = this.#rankOf(session, slot);
    for (const direction of [-1, 1]) {
      let found = 0;
      let place = 0;
      for (let at = rank + direction; at >= 0 && at < session.length; at += direction) {
        if (found === wanted.most || place === wanted.within) break;
        const other = session[at] ?? 0;
        if (!fits(other)) continue;
        place += 1;
        if ((this.#columns.lengths[other] ?? 0) > wanted.longest) continue;
        found += 1;
        tell(other, direction * place);
      }
    }
  }

  #sessionOf(slot: number): number[] {
    return this.#sessions.values[(this.#columns.sessions[slot] ?? 0) - 1] ?? [];
  }

  /** Where a memory stands in its session, or would stand. */
  #rankOf(session: readonly number[], slot: number): number {
    return firstIndex(session.length, (rank) => !this.#isBefore(session[rank] ?? 0, slot));
  }

  #isBefore(one: number, other: number): boolean {
    const { times } = this.#columns;
    const apart = (times[one] ?? 0) - (times[other] ?? 0);
    return apart === 0 ? this.#ids.isBefore(one, other) : apart < 0;
  }
}

/** The first of so many sorted slots of which `isFrom` holds, as it does of all behind; their count where of none. */
function firstIndex(count: number, isFrom: (slot: number) => boolean): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (isFrom(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
