/** What is looked for among the memories that hold the terms of a fact. */
interface Wanted {
  /** Terms that one shares at least. */
  readonly least: number;
  /** How many are wanted. */
  readonly most: number;
  /** The best so many holders of each term are wanted besides. */
  readonly ofEachTerm: number;
  /** A term that so many hold at most is enough by itself. */
  readonly rare: number;
}

/** Who holds a term, or one of several that count as one, and what it weighs that two facts share it. */
export interface Holders<Known> {
  readonly held: readonly Known[];
  readonly weight: number;
}

/** Those that share the most terms with a fact, best first; among equals as they come. */
export function shareMost<Known>(
  holders: readonly Holders<Known>[],
  { least, most, ofEachTerm, rare }: Wanted,
): Known[] {
  const shared = new Map<Known, { count: number; score: number; rarest: number }>();
  for (const { held, weight } of holders) {
    for (const one of held) {
      const { count, score, rarest } = shared.get(one) ?? { count: 0, score: 0, rarest: held.length };
      shared.set(one, { count: count + 1, score: score + weight, rarest: Math.min(rarest, held.length) });
    }
  }
  const ranked = [...shared]
    .filter(([, { count, rarest }]) => count >= least || rarest <= rare)
    .sort(([, one], [, other]) => other.score - one.score)
    .map(([one]) => one);
  const places = new Map(ranked.map((one, place) => [one, place]));
  const placeOf = (one: Known) => places.get(one) ?? Number.POSITIVE_INFINITY;
  const bestOfEach = holders.flatMap(({ held }) =>
    held
      .filter((one) => places.has(one))
      .sort((one, other) => placeOf(one) - placeOf(other))
      .slice(0, ofEachTerm),
  );
  const wanted = new Set([...ranked.slice(0, most), ...bestOfEach]);
  return ranked.filter((one) => wanted.has(one));
}
