import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { chunksOf, uuids } from '../../kernel/database/arrays.ts';
import { vectorLiteral } from '../../kernel/database/columns.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { readActiveModel } from '../embedding/embed-query.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { memoryVectors } from '../search-index/schema.ts';
import { levelsOf, type View, viewOf } from '../visibility/view.ts';
import { findClusters } from './clusters.ts';
import type { memoryMapRoutes } from './contract.ts';
import { EXCERPT_CHARACTERS, type Place } from './contract.ts';
import { dot, type Plane, principalPlane } from './project.ts';

/** Vectors that decide the plane: enough for its directions, few enough to compute with at once. */
const SAMPLE = 1_200;
/** Rows that one statement reads, and vectors, which take more. */
const PAGE = 500;
const VECTORS_AT_ONCE = 50;
/** Share of the memories on each side of each direction that spans most of the map, and how much of the map that is. */
const CORE_SHARE = 0.98;
const CORE = 0.9;

/** The memories on a plane. Only what the caller may read has a part in it. */
export const memoryMap: Operation<typeof memoryMapRoutes.memoryMap> = (context, { limit }) =>
  context.read(async (tx) => {
    const reader = { tenantId: context.tenantId, view: await viewOf(tx, context) };
    const rows = await newest(tx, reader, limit, context.options.signal);
    const level = await levelsOf(
      tx,
      reader,
      rows.map(({ id }) => id),
    );
    const shown = rows.filter(({ id }) => level(id) === 'full');
    const positions = await locate(
      tx,
      context,
      shown.map(({ id }) => id),
    );
    const placed = shown.flatMap(({ occurredAt, ...row }): Omit<Place, 'cluster'>[] => {
      const position = positions.get(row.id);
      return position ? [{ ...row, occurred_at: occurredAt.toISOString(), ...position }] : [];
    });
    const { clusterOf, clusters } = await findClusters(placed);
    const places = placed.map((place, at) => ({ ...place, cluster: clusterOf[at] ?? 0 }));
    return { places, clusters, unplaced: rows.length - places.length };
  });

/** Whose memories, and which of them the caller may know of. */
interface Reader {
  readonly tenantId: string;
  readonly view: View;
}

type Excerpt = Awaited<ReturnType<typeof newestPage>>[number];

/** A page at a time: the embedded database would else be held for long. */
async function newest(tx: Tx, reader: Reader, limit: number, signal?: AbortSignal): Promise<Excerpt[]> {
  const all: Excerpt[] = [];
  for (;;) {
    signal?.throwIfAborted();
    const most = Math.min(PAGE, limit - all.length);
    const page = await newestPage(tx, reader, most, all.at(-1));
    all.push(...page);
    if (page.length < PAGE || all.length >= limit) return all;
  }
}

/** Index memories_time. */
function newestPage(
  tx: Tx,
  { tenantId, view }: Reader,
  limit: number,
  after: { readonly occurredAt: Date; readonly id: string } | undefined,
) {
  const { id, type, category, key, tags, occurredAt, content } = memories;
  const behind =
    after &&
    sql`(${occurredAt}, ${id}) < (${after.occurredAt.toISOString()}::timestamptz, ${after.id}::uuid)`;
  return tx
    .select({
      id,
      type,
      category,
      key,
      tags,
      occurredAt,
      content: sql<string>`left(${content}, ${EXCERPT_CHARACTERS})`,
    })
    .from(memories)
    .where(and(matchesFilters(tenantId, {}, view.known), behind))
    .orderBy(desc(occurredAt), desc(id))
    .limit(limit);
}

type Position = Pick<Place, 'x' | 'y'>;

async function locate(tx: Tx, context: Context, ids: readonly string[]): Promise<Map<string, Position>> {
  const { tenantId } = context;
  const own = and(
    eq(memoryVectors.tenantId, tenantId),
    eq(memoryVectors.model, await readActiveModel(tx, context)),
  );
  const step = Math.max(1, Math.ceil(ids.length / SAMPLE));
  const sample = ids.filter((_, index) => index % step === 0);
  if (sample.length === 0) return new Map();
  const vectors: { id: string; embedding: Float32Array }[] = [];
  for (const some of chunksOf(sample, VECTORS_AT_ONCE)) {
    const { memoryId: id, embedding } = memoryVectors;
    vectors.push(
      ...(await tx
        .select({ id, embedding })
        .from(memoryVectors)
        .where(and(own, oneOf(some)))),
    );
  }
  // The same order each time, lest sums come out different.
  vectors.sort((one, other) => (one.id < other.id ? -1 : 1));
  const plane = await principalPlane(vectors.map(({ embedding }) => embedding));
  // The database multiplies: two numbers come back for each memory instead of its whole vector.
  const along = (axis: Float64Array) =>
    sql<number>`-(${memoryVectors.embedding} <#> ${vectorLiteral(Float32Array.from(axis))}::vector)`;
  const [x, y] = [along(plane.axes[0]), along(plane.axes[1])];
  const found: { id: string; x: number; y: number }[] = [];
  for (const some of chunksOf(ids, PAGE)) {
    context.options.signal?.throwIfAborted();
    const { memoryId: id } = memoryVectors;
    found.push(
      ...(await tx
        .select({ id, x, y })
        .from(memoryVectors)
        .where(and(own, oneOf(some)))),
    );
  }
  return fit(found, plane);
}

function oneOf(ids: readonly string[]): SQL {
  return sql`${memoryVectors.memoryId} = ANY(${uuids(ids)})`;
}

/**
 * Lays the median of both directions at 0, and stretches each side of each by itself, so that nearly all fills the square from -1
 * to 1. What lies farther out comes after it in the order of its distance, and is not heaped at the edge.
 */
function fit(
  found: readonly { readonly id: string; readonly x: number; readonly y: number }[],
  plane: Plane,
) {
  const [left = 0, top = 0] = plane.axes.map((axis) => dot(axis, plane.middle));
  const stretchX = stretching(found.map(({ x }) => x - left));
  const stretchY = stretching(found.map(({ y }) => y - top));
  return new Map(found.map(({ id, x, y }) => [id, { x: stretchX(x - left), y: stretchY(y - top) }]));
}

/** Makes the function that lays one direction into -1 to 1. */
function stretching(values: readonly number[]): (value: number) => number {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  const [low, middle, high] = [at(1 - CORE_SHARE), at(0.5), at(CORE_SHARE)];
  // Copies of one vector differ by rounding only.
  const reachOf = (reach: number) => (reach > 1e-5 ? reach : 1);
  const [below, above] = [reachOf(middle - low), reachOf(high - middle)];
  return (value) => {
    const share = (value - middle) / (value < middle ? below : above);
    const beyond = Math.abs(share) - 1;
    const within =
      beyond <= 0 ? CORE * share : Math.sign(share) * (CORE + (1 - CORE) * (1 - 1 / (1 + beyond)));
    return Math.round(1e4 * within) / 1e4 + 0;
  };
}
