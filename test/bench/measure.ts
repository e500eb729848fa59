/** Middle value; of an even count the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Milliseconds that one run of `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** How often to measure. */
export interface Effort {
  readonly rounds: number;
  /** Calls of each side in a round. */
  readonly calls: number;
}

/** One side of a comparison: a call that is timed, given its number. */
export type Side = (call: number) => unknown;

/** For each side the median time of every round, in milliseconds. */
export type Times<Name extends string> = Readonly<Record<Name, readonly number[]>>;

/**
 * Times several sides call by call in turn, so that whatever else the machine does hits all of them alike. One round
 * goes before the others and is thrown away.
 */
export async function interleave<Name extends string>(
  sides: Readonly<Record<Name, Side>>,
  { rounds, calls }: Effort,
): Promise<Times<Name>> {
  const names = Object.keys(sides) as Name[];
  const medians = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round <= rounds; round += 1) {
    const samples = new Map<Name, number[]>(names.map((name) => [name, []]));
    for (let call = 0; call < calls; call += 1) {
      // Who goes first changes too: the second finds caches warmed by the first.
      const order = call % 2 ? [...names].reverse() : names;
      for (const name of order) {
        samples.get(name)?.push(await timed(() => sides[name](round * calls + call)));
      }
    }
    if (round > 0) for (const name of names) medians[name].push(median(samples.get(name) ?? []));
  }
  return medians;
}

/** Median over the rounds of how many times longer one side took than the other. */
export function ratio(ours: readonly number[], floor: readonly number[]): number {
  return median(ours.map((time, round) => time / (floor[round] ?? Number.NaN)));
}
