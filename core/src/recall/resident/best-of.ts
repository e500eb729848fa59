import { firstPlace } from './first-place.ts';

/** Keeps the best of the places that it is offered. */
export class BestOf {
  /** What a score must reach to be kept: to be asked first, where most do not. */
  least = Number.NEGATIVE_INFINITY;
  readonly #places: Int32Array;
  readonly #scores: Float64Array;
  #count = 0;
  readonly #isBefore: (one: number, other: number) => boolean;

  /**
   * @param most How many are kept.
   * @param isBefore Which of two places of the same score comes first.
   */
  constructor(most: number, isBefore: (one: number, other: number) => boolean) {
    this.#places = new Int32Array(most + 1);
    this.#scores = new Float64Array(most + 1);
    this.#isBefore = isBefore;
  }

  offer(place: number, score: number): void {
    if (score < this.least) return;
    const rank = this.#rankOf(place, score);
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
    return [...this.#places.subarray(0, this.#count)];
  }

  /** Where it belongs among what is kept. */
  #rankOf(place: number, score: number): number {
    return firstPlace(this.#count, (rank) => {
      const other = this.#scores[rank] ?? 0;
      return score === other ? this.#isBefore(place, this.#places[rank] ?? 0) : score > other;
    });
  }
}
