/** What is looked for among the memories that hold the terms of a fact. */
interface Wanted<Known> {
  /** Terms that one shares at least. */
  readonly least: number;
  /** How many are wanted. */
  readonly most: number;
  /** A term that so many hold at most is enough by itself; default: none is. */
  readonly rare?: number;
  /** The order of those that share alike; default: as they come. */
  readonly ties?: (one: Known, other: Known) => number;
}

/**
 * Those that share the most terms with a fact, the rarer terms counting more.
 *
 * @param holders Of each of its terms, who holds it.
 * @param ofOneTerm How many of these count, from the last on; default: all.
 */
export function shareMost<Known>(
  holders: readonly (readonly Known[])[],
  { least, most, rare = 0, ties = () => 0 }: Wanted<Known>,
  ofOneTerm = Number.POSITIVE_INFINITY,
): Known[] {
  const shared = new Map<Known, { count: number; score: number; rarest: number }>();
  for (const held of holders) {
    for (const one of held.slice(-ofOneTerm)) {
      const known = shared.get(one);
      const { count, score, rarest } = known ?? { count: 0, score: 0, rarest: held.length };
      const weight = 1 / (1 + held.length);
      shared.set(one, { count: count + 1, score: score + weight, rarest: Math.min(rarest, held.length) });
    }
  }
  return [...shared]
    .filter(([, { count, rarest }]) => count >= least || rarest <= rare)
    .sort(([one, a], [other, b]) => b.score - a.score || ties(one, other))
    .slice(0, most)
    .map(([one]) => one);
}
