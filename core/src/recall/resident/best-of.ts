import { firstPlace } from './first-place.ts';

interface Offer {
  readonly place: number;
  readonly score: number;
}

/** Keeps the best of what it is offered. */
export class BestOf {
  /** What a score must reach to be kept: to be asked first, where most do not. */
  least = Number.NEGATIVE_INFINITY;
  readonly #kept: Offer[] = [];
  readonly #most: number;
  readonly #isBefore: (one: number, other: number) => boolean;

  /**
   * @param most How many are kept.
   * @param isBefore Which of two places of the same score comes first.
   */
  constructor(most: number, isBefore: (one: number, other: number) => boolean) {
    this.#most = most;
    this.#isBefore = isBefore;
  }

  offer(place: number, score: number): void {
    if (score < this.least) return;
    const offer = { place, score };
    const rank = firstPlace(this.#kept, (other) => this.#isBetter(offer, other));
    this.#kept.splice(rank, 0, offer);
    if (this.#kept.length > this.#most) this.#kept.pop();
    if (this.#kept.length === this.#most) this.least = this.#kept.at(-1)?.score ?? this.least;
  }

  /** Best first. */
  places(): number[] {
    return this.#kept.map(({ place }) => place);
  }

  #isBetter(one: Offer, other: Offer): boolean {
    return one.score === other.score ? this.#isBefore(one.place, other.place) : one.score > other.score;
  }
}
