import { mapInSlices, yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { dotProduct } from '../embedding/unit-vectors.ts';

interface Clusterable {
  /** Unit length; absent while it is still to be made. */
  readonly vector: Float32Array | undefined;
  /** The telling words. */
  readonly terms: ReadonlySet<string>;
  readonly occurredAt: Date;
}

/** Episodes that go into one digest at most. */
const MOST_IN_CLUSTER = 24;
/** Clusters of so many items stay apart when they are less alike than this. */
const LEAST_TO_STAND_ALONE = 3;
const LEAST_LIKENESS = 0.35;
const MEANING_SHARE = 0.5;
const WORDS_SHARE = 0.2;
/** Sharing the moment counts most: what is said together mostly belongs together. */
const TIME_SHARE = 0.3;

/**
 * Groups what belongs together by meaning, words and time: average-linkage clustering into as few clusters as their
 * size allows. Deterministic; quadratic in the number of items, cubic at worst.
 *
 * @returns places of the items by cluster, each in order
 */
export async function cluster(items: readonly Clusterable[]): Promise<number[][]> {
  const clusters = new Map(items.map((_, index) => [index, [index]]));
  const wanted = Math.ceil(items.length / MOST_IN_CLUSTER);
  const likeness = await mapInSlices(items, (one, index) =>
    Float64Array.from(items, (other, place) => (place < index ? alike(one, other, items) : 0)),
  );
  const between = (a: number, b: number) => likeness[Math.max(a, b)]?.[Math.min(a, b)] ?? 0;
  while (clusters.size > wanted) {
    await yieldToEventLoop();
    const best = closest(clusters, between);
    if (!best) break;
    const [kept, gone] = best;
    const [one, other] = [clusters.get(kept) ?? [], clusters.get(gone) ?? []];
    for (const third of clusters.keys()) {
      if (third === kept || third === gone) continue;
      const mean =
        (between(kept, third) * one.length + between(gone, third) * other.length) /
        (one.length + other.length);
      const row = likeness[Math.max(kept, third)];
      if (row) row[Math.min(kept, third)] = mean;
    }
    clusters.set(
      kept,
      [...one, ...other].sort((a, b) => a - b),
    );
    clusters.delete(gone);
  }
  return [...clusters.values()].sort(([a = 0], [b = 0]) => a - b);
}

/** The two most alike of those that may be put together. */
function closest(
  clusters: ReadonlyMap<number, readonly number[]>,
  between: (a: number, b: number) => number,
): [number, number] | undefined {
  let best: [number, number] | undefined;
  let most = -1;
  const list = [...clusters];
  for (const [place, [a, one]] of list.entries()) {
    for (const [b, other] of list.slice(place + 1)) {
      if (one.length + other.length > MOST_IN_CLUSTER) continue;
      const likeness = between(a, b);
      const apart = Math.min(one.length, other.length) >= LEAST_TO_STAND_ALONE;
      if (apart && likeness < LEAST_LIKENESS) continue;
      if (likeness > most) {
        most = likeness;
        best = [a, b];
      }
    }
  }
  return best;
}

function alike(one: Clusterable, other: Clusterable, all: readonly Clusterable[]): number {
  return (
    MEANING_SHARE * Math.max(0, one.vector && other.vector ? dotProduct(one.vector, other.vector) : 0) +
    WORDS_SHARE * shared(one.terms, other.terms) +
    TIME_SHARE * nearness(one.occurredAt, other.occurredAt, all)
  );
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = [...one].filter((term) => other.has(term)).length;
  return both / Math.max(1, one.size + other.size - both);
}

/** 1 at the same moment, 0 at the two ends of all. */
function nearness(one: Date, other: Date, all: readonly Clusterable[]): number {
  const span = (all.at(-1)?.occurredAt.getTime() ?? 0) - (all[0]?.occurredAt.getTime() ?? 0);
  return span <= 0 ? 1 : 1 - Math.abs(one.getTime() - other.getTime()) / span;
}
