import { firstPlace } from './first-place.ts';
import type { Ids } from './ids.ts';

/** Keeps the best of the places that it is offered. */
export class BestOf {
  /** What a score must reach to be kept: to be asked first, where most do not. */
  least = Number.NEGATIVE_INFINITY;
  readonly #places: Int32Array;
  readonly #scores: Float64Array;
  readonly #ids: Ids;
  #count = 0;
  /** What is offered now. */
  #place = 0;
  #score = 0;

  /**
   * @param most How many are kept.
   * @param ids Of two places of the same score, the first by id comes first.
   */
  constructor(most: number, ids: Ids) {
    this.#places = new Int32Array(most + 1);
    this.#scores = new Float64Array(most + 1);
    this.#ids = ids;
  }

  offer(place: number, score: number): void {
    if (score < this.least) return;
    this.#place = place;
    this.#score = score;
    const rank = firstPlace(this.#count, this.#isWorse);
    this.#places.copyWithin(rank + 1, rank, this.#count);
    this.#scores.copyWithin(rank + 1, rank, this.#count);
    this.#places[rank] = place;
    this.#scores[rank] = score;
    const most = this.#places.length - 1;
    this.#count = Math.min(most, this.#count + 1);
    if (this.#count === most) this.least = this.#scores[most - 1] ?? this.least;
  }

  /** Best first. */
  places(): number[] {
    return Array.from(this.#places.subarray(0, this.#count));
  }

  /** Whether what is kept at a rank comes behind what is offered. */
  readonly #isWorse = (rank: number): boolean => {
    const other = this.#scores[rank] ?? 0;
    if (this.#score !== other) return this.#score > other;
    return this.#ids.isBefore(this.#place, this.#places[rank] ?? 0);
  };
}
