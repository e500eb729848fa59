import type { IdTable } from './ids.ts';

/** Keeps the best slots that it is offered, in a heap with the worst of them at the top. */
export class TopK {
  /** The least score that is kept. Callers compare with it before they offer a slot. */
  least = Number.NEGATIVE_INFINITY;
  readonly #most: number;
  readonly #ids: IdTable;
  readonly #slots: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;

  /**
   * @param most How many are kept.
   * @param ids Of two slots of the same score, the first by id is the better.
   */
  constructor(most: number, ids: IdTable) {
    this.#most = most;
    this.#ids = ids;
    this.#slots = new Int32Array(most);
    this.#scores = new Float64Array(most);
  }

  offer(slot: number, score: number): void {
    if (this.#count < this.#most) {
      this.#count += 1;
      this.#rise(slot, score);
    } else if (this.#isWorse(0, slot, score)) this.#sink(slot, score);
    if (this.#count === this.#most) this.least = this.#scores[0] ?? this.least;
  }

  /** Returns the slots, best first, and empties the heap. */
  take(): number[] {
    const best = new Array<number>(this.#count);
    while (this.#count > 0) {
      this.#count -= 1;
      best[this.#count] = this.#slots[0] ?? 0;
      this.#sink(this.#slots[this.#count] ?? 0, this.#scores[this.#count] ?? 0);
    }
    return best;
  }

  /** Puts a slot at the end, or nearer to the top in the slot of what is better than it. */
  #rise(slot: number, score: number): void {
    let at = this.#count - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#isWorse(above, slot, score)) break;
      this.#keep(at, this.#slots[above] ?? 0, this.#scores[above] ?? 0);
      at = above;
    }
    this.#keep(at, slot, score);
  }

  /** Puts a slot on top instead of what is there, or below what is worse than it. */
  #sink(slot: number, score: number): void {
    let at = 0;
    for (let below = 1; below < this.#count; below = 2 * at + 1) {
      const [left, right] = [below, below + 1];
      const isRight =
        right < this.#count && this.#isWorse(right, this.#slots[left] ?? 0, this.#scores[left] ?? 0);
      const worse = isRight ? right : left;
      if (!this.#isWorse(worse, slot, score)) break;
      this.#keep(at, this.#slots[worse] ?? 0, this.#scores[worse] ?? 0);
      at = worse;
    }
    this.#keep(at, slot, score);
  }

  #keep(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }

  /** Whether what is kept there is worse than a slot with such a score. */
  #isWorse(at: number, slot: number, score: number): boolean {
    const kept = this.#scores[at] ?? 0;
    return kept === score ? this.#ids.isBefore(slot, this.#slots[at] ?? 0) : kept < score;
  }
}
