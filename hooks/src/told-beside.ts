import { parseFields } from './files/fields.ts';
import { factName, type HookState } from './files/state.ts';
import type { TranscriptTurn } from './frameworks/framework.ts';
import type { Hook } from './hook.ts';
import type { FlushStep } from './progress.ts';
import { storableText, turnDigest } from './transcript.ts';

/**
 * Answers that are told and never come in the transcript, as the summary of a compaction, are given up behind so many later ones.
 */
const MOST_AWAITED = 16;

/**
 * What the host tells beside the transcript, which may lag behind it: it is sent at once, unless it is what was said last, and left
 * out where the transcript says it later.
 */
export class ToldBeside {
  readonly #state: HookState;
  readonly #fact: string;
  readonly #said: TranscriptTurn | undefined;
  /** Digest of what was said last, in the transcript or beside it. */
  #last: string | undefined;
  /** Digests of what was told and is not read in the transcript yet. */
  #awaited: string[];

  constructor({ event, state }: Hook) {
    this.#state = state;
    this.#fact = factName('told', event.sessionId ?? '');
    const content = storableText(event.said?.content ?? '');
    this.#said = event.said && content !== '' ? { ...event.said, content } : undefined;
    const { last, awaited } = parseFields(state.read(this.#fact)) ?? {};
    this.#last = typeof last === 'string' ? last : undefined;
    this.#awaited = Array.isArray(awaited) ? awaited.map(String) : [];
  }

  /** A step of the transcript without what was told before. */
  leaveOut(step: FlushStep): FlushStep {
    const newest = step.isOlder ? undefined : step.turns.at(-1);
    if (newest) this.#last = turnDigest(newest);
    return { ...step, turns: step.turns.filter((turn) => !this.#wasAwaited(turn)) };
  }

  /**
   * What is told now, as a step; none where it was said last: some hosts end a turn twice, as where another hook holds it up.
   *
   * @param end how far the transcript is read, which tells the same words apart where they are told again later
   */
  *untold(end: number): Generator<FlushStep> {
    if (!this.#said) return;
    const digest = turnDigest(this.#said);
    if (digest === this.#last || this.#awaited.includes(digest)) return;
    this.#last = digest;
    this.#awaited = [...this.#awaited, digest].slice(-MOST_AWAITED);
    yield { turns: [{ ...this.#said, id: `${this.#fact} ${end}` }], progress: undefined, isOlder: false };
  }

  /** Remembers the steps so far, once they are sent. */
  save(): void {
    this.#state.write(this.#fact, JSON.stringify({ last: this.#last, awaited: this.#awaited }));
  }

  #wasAwaited(turn: TranscriptTurn): boolean {
    const place = this.#awaited.length === 0 ? -1 : this.#awaited.indexOf(turnDigest(turn));
    if (place >= 0) this.#awaited = this.#awaited.toSpliced(place, 1);
    return place >= 0;
  }
}
