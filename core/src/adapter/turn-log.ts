import { createHash } from 'node:crypto';
import type { Turn } from './turns.ts';

// A request holds at most 1 MiB, whatever the text's encoding; see the limits of POST /webhooks/compaction.
const MOST_CHARACTERS = 131_072;
const MOST_TURNS = 1_000;
// Repetitions are told apart by sending them together; past this a repetition is not worth keeping.
const MOST_REPEATED_CHARACTERS = 65_536;

/** A turn not sent yet. `number` counts identical turns, starting at 0. */
interface Fresh {
  readonly id: string;
  readonly number: number;
  readonly turn: Turn;
}

/**
 * Which turns of a conversation were handed to the service. Histories are sent to a model again at every call: the
 * service would skip what it has, and this saves asking it. Equal turns are told apart by their number.
 */
export class TurnLog {
  readonly #kept = new Set<string>();
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
  }

  /**
   * Takes the turns that were not handed over before, to be handed over by `send`.
   *
   * @param afterCompaction whether `turns` follow those given to `startAfter`
   */
  add(turns: readonly Turn[], afterCompaction: boolean): void {
    const numbers = new Map(afterCompaction ? this.#before : []);
    const owed = new Set(this.#owed.map(nameOf));
    for (const turn of turns) {
      const id = idOf(turn);
      const number = numbers.get(id) ?? 0;
      numbers.set(id, number + 1);
      const name = nameOf({ id, number });
      const isNew = !this.#kept.has(name) && !owed.has(name);
      if (isNew && number * turn.content.length <= MOST_REPEATED_CHARACTERS)
        this.#owed.push({ id, number, turn });
    }
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

function idOf({ role, content }: Turn): string {
  return createHash('sha256').update(`${role}\n${content}`).digest('base64');
}

function nameOf({ id, number }: Pick<Fresh, 'id' | 'number'>): string {
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
