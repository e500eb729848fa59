/** What is looked for among the memories that hold the terms of a fact. */
interface Wanted<Known> {
  /** Terms that one shares at least. */
  readonly least: number;
  /** How many are wanted. */
  readonly most: number;
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
  { least, most, ties = () => 0 }: Wanted<Known>,
  ofOneTerm = Number.POSITIVE_INFINITY,
): Known[] {
  const shared = new Map<Known, { count: number; score: number }>();
  for (const held of holders) {
    for (const one of held.slice(-ofOneTerm)) {
      const { count, score } = shared.get(one) ?? { count: 0, score: 0 };
      shared.set(one, { count: count + 1, score: score + 1 / (1 + held.length) });
    }
  }
  return [...shared]
    .filter(([, { count }]) => count >= least)
    .sort(([one, a], [other, b]) => b.score - a.score || ties(one, other))
    .slice(0, most)
    .map(([one]) => one);
}
