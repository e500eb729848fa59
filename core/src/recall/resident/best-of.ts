import type { Ids } from './ids.ts';

/** Keeps the best of the places that it is offered, in a heap with the worst of them on top. */
export class BestOf {
  /** What a score must reach to be kept: to be asked first, where most do not. */
  least = Number.NEGATIVE_INFINITY;
  readonly #most: number;
  readonly #ids: Ids;
  readonly #places: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;

  /**
   * @param most How many are kept.
   * @param ids Of two places of the same score, the first by id is the better.
   */
  constructor(most: number, ids: Ids) {
    this.#most = most;
    this.#ids = ids;
    this.#places = new Int32Array(most);
    this.#scores = new Float64Array(most);
  }

  offer(place: number, score: number): void {
    if (this.#count < this.#most) {
      this.#count += 1;
      this.#rise(place, score);
    } else if (this.#isWorse(0, place, score)) this.#sink(place, score);
    if (this.#count === this.#most) this.least = this.#scores[0] ?? this.least;
  }

  /** Best first; afterwards none is kept. */
  take(): number[] {
    const best = new Array<number>(this.#count);
    while (this.#count > 0) {
      this.#count -= 1;
      best[this.#count] = this.#places[0] ?? 0;
      this.#sink(this.#places[this.#count] ?? 0, this.#scores[this.#count] ?? 0);
    }
    return best;
  }

  /** Puts a place at the end, or nearer to the top in the place of what is better than it. */
  #rise(place: number, score: number): void {
    let at = this.#count - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#isWorse(above, place, score)) break;
      this.#keep(at, this.#places[above] ?? 0, this.#scores[above] ?? 0);
      at = above;
    }
    this.#keep(at, place, score);
  }

  /** Puts a place on top instead of what is there, or below what is worse than it. */
  #sink(place: number, score: number): void {
    let at = 0;
    for (let below = 1; below < this.#count; below = 2 * at + 1) {
      const [left, right] = [below, below + 1];
      const isRight =
        right < this.#count && this.#isWorse(right, this.#places[left] ?? 0, this.#scores[left] ?? 0);
      const worse = isRight ? right : left;
      if (!this.#isWorse(worse, place, score)) break;
      this.#keep(at, this.#places[worse] ?? 0, this.#scores[worse] ?? 0);
      at = worse;
    }
    this.#keep(at, place, score);
  }

  #keep(at: number, place: number, score: number): void {
    this.#places[at] = place;
    this.#scores[at] = score;
  }

  /** Whether what is kept there is worse than a place with such a score. */
  #isWorse(at: number, place: number, score: number): boolean {
    const kept = this.#scores[at] ?? 0;
    return kept === score ? this.#ids.isBefore(place, this.#places[at] ?? 0) : kept < score;
  }
}
