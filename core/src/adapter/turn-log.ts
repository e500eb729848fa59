import { createHash } from 'node:crypto';
import type { Turn } from './turns.ts';

// A request holds at most 1 MiB, whatever the text's encoding; see the limits of POST /webhooks/compaction.
const MOST_CHARACTERS = 131_072;
const MOST_TURNS = 1_000;
// Repetitions are told apart by sending them together; past this a repetition is not worth keeping.
const MOST_REPEATED_CHARACTERS = 65_536;

/** A turn by what it says. `number` counts identical turns, starting at 0. */
interface Told {
  readonly id: string;
  readonly number: number;
}

/** A turn not sent yet. */
interface Fresh extends Told {
  readonly turn: Turn;
}

/**
 * Which turns of a conversation were handed to the service. Histories are sent to a model again at every call: the
 * service would skip what it has, and this saves asking it. Equal turns are told apart by their number. A history that begins
 * later than the one before, as where only the last messages are sent, goes on counting where both overlap.
 */
export class TurnLog {
  readonly #kept = new Set<string>();
  /** The history as it was told last. */
  #last: readonly Told[] = [];
  /** By the turn, the number of the next like it. */
  readonly #next = new Map<string, number>();
  /** Turns that could not be handed over; they may be gone from the history by the next time. */
  #owed: Fresh[] = [];
  /** How often each turn was said in the part of the history that is shown no longer. */
  #before: ReadonlyMap<string, number> = new Map();

  /**
   * Goes on numbering behind these turns: they were compacted away and stand no longer in what is shown.
   *
   * @param more whether turns compacted away before them stay counted
   */
  startAfter(turns: readonly Turn[], more: boolean): void {
    const before = new Map(more ? this.#before : []);
    for (const turn of turns) before.set(idOf(turn), (before.get(idOf(turn)) ?? 0) + 1);
    this.#before = before;
    this.#last = [];
  }

  /**
   * Takes the turns that were not handed over before, to be handed over by `send`.
   *
   * @param afterCompaction whether `turns` follow those given to `startAfter`
   */
  add(turns: readonly Turn[], afterCompaction: boolean): void {
    const told = this.#number(turns.map(idOf), afterCompaction);
    const owed = new Set(this.#owed.map(nameOf));
    for (const [place, turn] of turns.entries()) {
      const one = told[place];
      if (!one) continue;
      const name = nameOf(one);
      const isNew = !this.#kept.has(name) && !owed.has(name);
      if (isNew && one.number * turn.content.length <= MOST_REPEATED_CHARACTERS)
        this.#owed.push({ ...one, turn });
    }
    this.#last = told;
  }

  /** Numbers equal turns: those that were told last keep their numbers, also where the history begins later now. */
  #number(ids: readonly string[], afterCompaction: boolean): readonly Told[] {
    const last = this.#last;
    const differs = ids.findIndex((id, place) => id !== last[place]?.id);
    const head = differs < 0 ? ids.length : differs;
    const tail = overlapOf(ids.slice(head), last.slice(head));
    const known = [...last.slice(0, head), ...last.slice(last.length - tail)];
    const goesOn = last.length > 0 && (tail > 0 || head === last.length);
    const numbers = new Map(goesOn ? this.#next : afterCompaction ? this.#before : []);
    // What was said in another way before, or answered anew, counts from where both part.
    if (!goesOn) for (const { id, number } of known) numbers.set(id, number + 1);
    const later = ids.slice(known.length).map((id) => {
      const number = numbers.get(id) ?? 0;
      numbers.set(id, number + 1);
      return { id, number };
    });
    for (const { id, number } of later) this.#next.set(id, Math.max(number + 1, this.#next.get(id) ?? 0));
    return [...known, ...later];
  }

  /**
   * Hands over what was added. What another call is handing over goes along: that one may never end, and the service keeps
   * each turn once.
   *
   * @param hand must throw when a transcript was not kept
   */
  async send(hand: (transcript: Turn[]) => Promise<void>): Promise<void> {
    for (const chunk of chunksOf(this.#owed)) {
      // The service numbers equal turns within one transcript: those it has go before, and are skipped.
      const first = new Map<string, Fresh>();
      for (const item of chunk) if (!first.has(item.id)) first.set(item.id, item);
      const repeated = [...first.values()].flatMap(({ number, turn }) => Array<Turn>(number).fill(turn));
      await hand([...repeated, ...chunk.map(({ turn }) => turn)]);
      for (const item of chunk) this.#kept.add(nameOf(item));
      this.#owed = this.#owed.filter((item) => !chunk.includes(item));
    }
  }
}

/** How many of the first ids are the last that were told. */
function overlapOf(ids: readonly string[], told: readonly Told[]): number {
  for (let length = Math.min(ids.length, told.length); length > 0; length -= 1) {
    const start = told.length - length;
    if (ids.slice(0, length).every((id, place) => id === told[start + place]?.id)) return length;
  }
  return 0;
}

function idOf({ role, content }: Turn): string {
  return createHash('sha256').update(`${role}\n${content}`).digest('base64');
}

function nameOf({ id, number }: Told): string {
  return `${id} ${number}`;
}

function chunksOf(fresh: readonly Fresh[]): Fresh[][] {
  const chunks: Fresh[][] = [];
  let room = 0;
  for (const item of fresh) {
    const size = item.turn.content.length * (item.number + 1);
    const last = chunks.at(-1);
    if (last && size <= room && last.length < MOST_TURNS) last.push(item);
    else chunks.push([item]);
    room = (chunks.at(-1) === last ? room : MOST_CHARACTERS) - size;
  }
  return chunks;
}
