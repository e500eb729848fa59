import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { agentWords, isStopWord } from '../../text/stop-words.ts';
import { splitWords } from '../../text/words.ts';

const MOST_CLUSTERS = 12;
const ROUNDS = 12;
const MOST_TERMS = 3;
const SHORTEST_TERM = 3;
/** Share of a cluster's memories that hold each of its terms. */
const LEAST_SHARE = 0.04;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Memories that lie together on the map. */
interface Cluster extends Point {
  /** Words that distinguish its memories from the others, the best first; none where they have none in common. */
  readonly terms: string[];
  readonly memories: number;
}

/**
 * Groups places by k-means. The same places give the same groups.
 *
 * @returns of each place the number of its cluster, and the clusters, the largest first.
 */
export async function findClusters(
  places: readonly (Point & { readonly content: string })[],
): Promise<{ clusterOf: number[]; clusters: Cluster[] }> {
  let centers = seeds(places);
  let nearest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    nearest = [];
    for (const place of places) {
      await yieldToEventLoop();
      nearest.push(nearestOf(centers, place));
    }
    centers = centers.map((center, cluster) =>
      middleOf(
        places.filter((_, at) => nearest[at] === cluster),
        center,
      ),
    );
  }
  const sizes = centers.map((_, cluster) => nearest.filter((one) => one === cluster).length);
  const order = sizes
    .map((size, cluster) => ({ size, cluster }))
    .filter(({ size }) => size > 0)
    .sort((one, other) => other.size - one.size || one.cluster - other.cluster)
    .map(({ cluster }) => cluster);
  const clusterOf = nearest.map((cluster) => order.indexOf(cluster));
  const terms = await nameClusters(places, clusterOf, order.length);
  const clusters = order.map((cluster, rank) => ({
    ...rounded(centers[cluster] ?? { x: 0, y: 0 }),
    terms: terms[rank] ?? [],
    memories: sizes[cluster] ?? 0,
  }));
  return { clusterOf, clusters };
}

/** Places that are far from each other, denser where more of them are: evenly spaced along a curve that fills the plane. */
function seeds(places: readonly Point[]): Point[] {
  const count = Math.min(MOST_CLUSTERS, Math.ceil(Math.sqrt(places.length / 2)));
  const along = [...places].sort((one, other) => onCurve(one) - onCurve(other));
  return Array.from({ length: count }, (_, index) => {
    const { x, y } = along[Math.floor(((index + 0.5) * along.length) / count)] ?? { x: 0, y: 0 };
    return { x, y };
  });
}

/** The place of a point on the Z-order curve. */
function onCurve({ x, y }: Point): number {
  const [column, row] = [x, y].map((value) => Math.floor(((value + 1) / 2) * 255.99));
  let code = 0;
  for (let bit = 0; bit < 8; bit += 1) {
    code |= (((column ?? 0) >> bit) & 1) << (2 * bit);
    code |= (((row ?? 0) >> bit) & 1) << (2 * bit + 1);
  }
  return code;
}

function nearestOf(centers: readonly Point[], { x, y }: Point): number {
  let best = 0;
  let distance = Number.POSITIVE_INFINITY;
  for (const [cluster, center] of centers.entries()) {
    const here = (center.x - x) ** 2 + (center.y - y) ** 2;
    if (here < distance) [best, distance] = [cluster, here];
  }
  return best;
}

function middleOf(points: readonly Point[], otherwise: Point): Point {
  if (points.length === 0) return otherwise;
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(1e4 * x) / 1e4, y: Math.round(1e4 * y) / 1e4 };
}

/** The words by which each cluster differs most from all places together. */
async function nameClusters(
  places: readonly { readonly content: string }[],
  clusterOf: readonly number[],
  count: number,
): Promise<string[][]> {
  const all = new Map<string, number>();
  const own = Array.from({ length: count }, () => new Map<string, number>());
  const sizes = own.map(() => 0);
  for (const [at, { content }] of places.entries()) {
    await yieldToEventLoop();
    const cluster = clusterOf[at] ?? 0;
    sizes[cluster] = (sizes[cluster] ?? 0) + 1;
    for (const word of wordsOf(content)) {
      increment(all, word);
      const words = own[cluster];
      if (words) increment(words, word);
    }
  }
  return own.map((words, cluster) => {
    const size = sizes[cluster] ?? 0;
    const gain = (word: string, held: number) => {
      const share = held / size;
      return share * Math.log(share / ((all.get(word) ?? held) / places.length));
    };
    return (
      [...words]
        .filter(([, held]) => held >= 2 && held / size >= LEAST_SHARE)
        // Where there is one cluster only, nothing distinguishes it: its most frequent words name it.
        .map(([word, held]) => ({ word, held, gain: count === 1 ? 0 : gain(word, held) }))
        .filter(({ gain: won }) => count === 1 || won > 0)
        .sort(
          (one, other) => other.gain - one.gain || other.held - one.held || (one.word < other.word ? -1 : 1),
        )
        .slice(0, MOST_TERMS)
        .map(({ word }) => word)
    );
  });
}

function wordsOf(content: string): ReadonlySet<string> {
  const words = splitWords(content).filter(
    (word) =>
      (word.kind === 'word' || word.kind === 'gram') &&
      (word.kind === 'gram' || word.text.length >= SHORTEST_TERM) &&
      !isStopWord(word, undefined) &&
      !agentWords.has(word.text),
  );
  return new Set(words.map(({ text }) => text));
}

function increment(counts: Map<string, number>, word: string): void {
  counts.set(word, (counts.get(word) ?? 0) + 1);
}
