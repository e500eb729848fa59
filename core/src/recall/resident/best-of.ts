/** Keeps the best of what it is shown. */
export interface BestOf {
  offer(place: number, score: number): void;
  /** Places, best first. */
  places(): number[];
}

/**
 * @param most How many are kept.
 * @param isBefore Which of two places of the same score comes first.
 */
export function createBestOf(most: number, isBefore: (one: number, other: number) => boolean): BestOf {
  const kept: { place: number; score: number }[] = [];
  const worse = (one: { place: number; score: number }, place: number, score: number) =>
    one.score === score ? isBefore(place, one.place) : one.score < score;
  return {
    offer: (place, score) => {
      const last = kept[kept.length - 1];
      if (last && kept.length >= most && !worse(last, place, score)) return;
      let from = 0;
      let to = kept.length;
      while (from < to) {
        const middle = (from + to) >> 1;
        const other = kept[middle];
        if (other && worse(other, place, score)) to = middle;
        else from = middle + 1;
      }
      kept.splice(from, 0, { place, score });
      if (kept.length > most) kept.pop();
    },
    places: () => kept.map(({ place }) => place),
  };
}
