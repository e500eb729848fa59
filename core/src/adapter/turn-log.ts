import { createHash } from 'node:crypto';
import { forgetOldest } from './options.ts';
import type { Turn } from './turns.ts';

// A request holds at most 1 MiB, whatever the text's encoding; see the limits of POST /webhooks/compaction.
const MOST = { characters: 131_072, turns: 2_000 };
// Equal turns are told apart by sending them together; a repetition that takes more than this is not worth keeping.
const MOST_REPEATED = { characters: 65_536, turns: 1_000 };
// Far more than a history holds. What is forgotten and comes again is sent again, and the service skips it.
const MOST_REMEMBERED = 20_000;

/** A turn by the digest of what it says. `number` counts identical turns, starting at 0. */
interface NumberedTurn {
  readonly id: string;
  readonly number: number;
}

/** A turn that is not sent yet. */
interface OwedTurn extends NumberedTurn {
  readonly turn: Turn;
  /** When it was added, by the clock of the machine, which a sleeping one does not stop. */
  readonly at: number;
}

/** A turn as it is handed over. */
export interface HandedTurn extends Turn {
  /** For how long the turn was not handed over, in milliseconds. */
  readonly waited_ms: number;
}

/**
 * Which turns of a conversation were handed to the service. Histories are sent to a model again at every call: the
 * service would skip what it has, and this saves asking it. Equal turns are told apart by their number. A history that begins
 * later than the one before, as where only the last messages are sent, goes on counting where both overlap. An answer that was
 * stopped comes back as far as it was shown, which is often less than came of it: that is no other turn.
 */
export class TurnLog {
  readonly #kept = new Set<string>();
  /** The history that was given last. */
  #last: readonly NumberedTurn[] = [];
  /** What was said last in it. */
  #lastSaid: Turn | undefined;
  /** By digest, the number of the next turn that says the same. */
  readonly #next = new Map<string, number>();
  /** Turns that are not handed over yet. They are kept here, since the next history may lack them. */
  #owed: OwedTurn[] = [];
  /** How often each turn was said in the part of the history that was compacted away. */
  #before: ReadonlyMap<string, number> = new Map();

  /**
   * Counts turns that were compacted away, so that later equal ones get numbers behind theirs.
   *
   * @param more whether turns that were compacted away earlier stay counted
   */
  startAfter(turns: readonly Turn[], more: boolean): void {
    const before = new Map(more ? this.#before : []);
    for (const turn of turns) before.set(idOf(turn), (before.get(idOf(turn)) ?? 0) + 1);
    this.#before = before;
    this.#last = [];
  }

  /**
   * Adds the turns of a history that were not handed over yet, for `send` to hand over.
   *
   * @param afterCompaction whether `turns` follow those given to `startAfter`
   */
  add(turns: readonly Turn[], afterCompaction: boolean): void {
    const numbered = this.#number(turns.map(idOf), afterCompaction);
    const owed = new Set(this.#owed.map(nameOf));
    for (const [place, turn] of turns.entries()) {
      const one = numbered[place];
      if (!one) continue;
      const name = nameOf(one);
      if (this.#isCut(turns, place, numbered)) this.#remember(name);
      const isNew = !this.#kept.has(name) && !owed.has(name);
      if (isNew && isWorthKeeping(one, turn)) this.#owed.push({ ...one, turn, at: Date.now() });
    }
    this.#last = numbered;
    this.#lastSaid = turns.at(-1);
  }

  /** Whether a turn is the beginning of the answer that ended the last history, in its place, and the talk went on behind it. */
  #isCut(turns: readonly Turn[], place: number, numbered: readonly NumberedTurn[]): boolean {
    const [turn, whole] = [turns[place], this.#lastSaid];
    if (turn?.role !== 'assistant' || whole?.role !== 'assistant') return false;
    if (place !== this.#last.length - 1 || place === turns.length - 1) return false;
    const isShorter = turn.content.length < whole.content.length && whole.content.startsWith(turn.content);
    return isShorter && numbered.slice(0, place).every(({ id }, at) => id === this.#last[at]?.id);
  }

  /** Numbers the turns. Those of the last history keep their numbers, also where this one begins later. */
  #number(ids: readonly string[], afterCompaction: boolean): readonly NumberedTurn[] {
    const last = this.#last;
    const differs = ids.findIndex((id, place) => id !== last[place]?.id);
    const head = differs < 0 ? ids.length : differs;
    const tail = overlapOf(ids.slice(head), last.slice(head));
    const known = [...last.slice(0, head), ...last.slice(last.length - tail)];
    const goesOn = last.length > 0 && (tail > 0 || head === last.length);
    const numbers = new Map(goesOn ? this.#next : afterCompaction ? this.#before : []);
    // A history that differs from the last one, as after an edited message, counts from where they part.
    if (!goesOn) for (const { id, number } of known) numbers.set(id, number + 1);
    const later = ids.slice(known.length).map((id) => {
      const number = numbers.get(id) ?? 0;
      numbers.set(id, number + 1);
      return { id, number };
    });
    for (const { id, number } of later) {
      const next = Math.max(number + 1, this.#next.get(id) ?? 0);
      // What is said often is not forgotten.
      this.#next.delete(id);
      this.#next.set(id, next);
    }
    forgetOldest(this.#next, MOST_REMEMBERED);
    return [...known, ...later];
  }

  /**
   * Hands over the turns that were added, also those that another call is handing over: that call may never end, and the service
   * keeps each turn once.
   *
   * @param hand must throw when a transcript was not kept
   */
  async send(hand: (transcript: HandedTurn[]) => Promise<void>): Promise<void> {
    for (const chunk of chunksOf(this.#owed)) {
      // The service numbers equal turns within one transcript: those it has go before, and are skipped.
      const first = new Map<string, OwedTurn>();
      for (const item of chunk) if (!first.has(item.id)) first.set(item.id, item);
      const repeated = [...first.values()].flatMap((item) => Array<OwedTurn>(item.number).fill(item));
      const now = Date.now();
      await hand(
        [...repeated, ...chunk].map(({ turn, at }) => ({ ...turn, waited_ms: Math.max(0, now - at) })),
      );
      for (const item of chunk) this.#remember(nameOf(item));
      this.#owed = this.#owed.filter((item) => !chunk.includes(item));
    }
  }

  #remember(name: string): void {
    this.#kept.add(name);
    forgetOldest(this.#kept, MOST_REMEMBERED);
  }
}

/** How many of the first ids are the last of the numbered turns. */
function overlapOf(ids: readonly string[], numbered: readonly NumberedTurn[]): number {
  for (let length = Math.min(ids.length, numbered.length); length > 0; length -= 1) {
    const start = numbered.length - length;
    if (ids.slice(0, length).every((id, place) => id === numbered[start + place]?.id)) return length;
  }
  return 0;
}

function idOf({ role, content }: Turn): string {
  return createHash('sha256').update(`${role}\n${content}`).digest('base64');
}

function nameOf({ id, number }: NumberedTurn): string {
  return `${id} ${number}`;
}

function isWorthKeeping({ number }: NumberedTurn, { content }: Turn): boolean {
  return number <= MOST_REPEATED.turns && number * content.length <= MOST_REPEATED.characters;
}

/** Splits turns into what one request holds, with the equal turns that go before each. */
function chunksOf(owed: readonly OwedTurn[]): OwedTurn[][] {
  const chunks: OwedTurn[][] = [];
  let room = { characters: 0, turns: 0 };
  let ids = new Set<string>();
  for (const item of owed) {
    const { length } = item.turn.content;
    let times = ids.has(item.id) ? 1 : item.number + 1;
    if (times > room.turns || times * length > room.characters) {
      chunks.push([]);
      room = { ...MOST };
      ids = new Set();
      times = item.number + 1;
    }
    chunks.at(-1)?.push(item);
    ids.add(item.id);
    room.turns -= times;
    room.characters -= times * length;
  }
  return chunks;
}
