import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { type Context, contextsOf, type Operation } from '../../kernel/context/context.ts';
import { vectorLiteral } from '../../kernel/database/columns.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { chunksOf, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { readActiveModel } from '../embedding/embed.ts';
import { matchesFilters } from '../recall/filters.ts';
import { memories } from '../records/schema.ts';
import { memoryVectors } from '../search-index/schema.ts';
import { levelsOf, type TenantView, viewOf } from '../visibility/view.ts';
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

/**
 * The memories on a plane, the agent's own and those of its spaces. Only what the caller may read has a part in it.
 *
 * Everything is read in pieces, each in a transaction of its own: nobody else can use the embedded database while one is open.
 */
export const memoryMap: Operation<typeof memoryMapRoutes.memoryMap> = async (context, { limit }) => {
  const sources = contextsOf(context);
  const rows: Excerpt[] = [];
  for (const { tenantId } of sources) rows.push(...(await newest(context, tenantId, limit)));
  if (sources.length > 1) rows.sort(byTime).splice(limit);
  const shown = rows.filter(({ isReadable }) => isReadable);
  const positions = await locate(context, shown);
  const placed = rows.flatMap((row): Omit<Place, 'cluster'>[] => {
    const position = positions.get(placeOf(row));
    return position ? [{ ...toExcerpt(row, context), ...position }] : [];
  });
  const { clusterOf, clusters } = await findClusters(placed);
  const places = placed.map((place, at) => ({ ...place, cluster: clusterOf[at] ?? 0 }));
  return { places, clusters, unplaced: rows.length - places.length };
};

type Row = Awaited<ReturnType<typeof newestPage>>[number];

/** A memory of the map, and whether the caller may read it or only know of it. */
interface Excerpt extends Row {
  readonly isReadable: boolean;
}

/** By tenant too: an import keeps ids, so that a memory of a space may have the id of one of the agent's own. */
const placeOf = ({ tenantId, id }: Pick<Excerpt, 'tenantId' | 'id'>) => `${tenantId} ${id}`;

/** Newest first. */
function byTime(one: Excerpt, other: Excerpt): number {
  return Number(other.occurredAt) - Number(one.occurredAt) || (one.id < other.id ? 1 : -1);
}

function toExcerpt({ tenantId, occurredAt, isReadable: _, ...row }: Excerpt, context: Context) {
  const isShared = contextsOf(context).some(({ space }) => space?.id === tenantId);
  return { ...row, occurred_at: occurredAt.toISOString(), ...(isShared && { space_id: tenantId }) };
}

/** Each once, also one whose time changes while the pages are read. What the caller may read is asked anew for each page. */
async function newest(context: Context, tenantId: string, limit: number): Promise<readonly Excerpt[]> {
  const all = new Map<string, Excerpt>();
  let last: Excerpt | undefined;
  for (;;) {
    context.options.signal?.throwIfAborted();
    const most = Math.min(PAGE, limit - all.size);
    const page = await context.read(async (tx) => {
      const reader = { tenantId, view: await viewOf(tx, context) };
      const rows = await newestPage(tx, reader, most, last);
      const level = await levelsOf(
        tx,
        reader,
        rows.map(({ id }) => id),
      );
      return rows.map((row): Excerpt => ({ ...row, isReadable: level(row.id) === 'full' }));
    });
    for (const one of page) all.set(one.id, one);
    last = page.at(-1);
    if (page.length < most || all.size >= limit) return [...all.values()];
  }
}

/** Index memories_time. */
function newestPage(
  tx: Tx,
  { tenantId, view }: TenantView,
  limit: number,
  after: { readonly occurredAt: Date; readonly id: string } | undefined,
) {
  const { id, type, category, key, tags, occurredAt, content } = memories;
  const behind = after && sql`(${occurredAt}, ${id}) < (${timestamptz(after.occurredAt)}, ${after.id}::uuid)`;
  return tx
    .select({
      tenantId: memories.tenantId,
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

/**
 * Where memories lie, by their vectors of the agent's model; a space keeps those of the model that the agent had which made it.
 */
async function locate(context: Context, shown: readonly Excerpt[]): Promise<Map<string, Position>> {
  const model = await context.read((tx) => readActiveModel(tx, context));
  const step = Math.max(1, Math.ceil(shown.length / SAMPLE));
  const sample = shown.filter((_, index) => index % step === 0);
  if (sample.length === 0) return new Map();
  const { memoryId: id, tenantId, embedding } = memoryVectors;
  const vectors: { tenantId: string; id: string; embedding: Float32Array }[] = [];
  for (const some of byTenant(sample, VECTORS_AT_ONCE)) {
    vectors.push(
      ...(await context.read(async (tx) =>
        tx.select({ tenantId, id, embedding }).from(memoryVectors).where(vectorsOf(some, model)),
      )),
    );
  }
  // The same order each time, lest sums come out different.
  vectors.sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const plane = await principalPlane(vectors.map(({ embedding }) => embedding));
  // The database multiplies: two numbers come back for each memory instead of its whole vector.
  const along = (axis: Float64Array) =>
    sql<number>`-(${embedding} <#> ${vectorLiteral(Float32Array.from(axis))}::vector)`;
  const [x, y] = [along(plane.axes[0]), along(plane.axes[1])];
  const found: { tenantId: string; id: string; x: number; y: number }[] = [];
  for (const some of byTenant(shown, PAGE)) {
    context.options.signal?.throwIfAborted();
    found.push(
      ...(await context.read(async (tx) =>
        tx.select({ tenantId, id, x, y }).from(memoryVectors).where(vectorsOf(some, model)),
      )),
    );
  }
  return fit(found, plane);
}

/** Memories of one tenant each, at most so many. */
function byTenant(memories: readonly Excerpt[], size: number): readonly (readonly Excerpt[])[] {
  const tenants = [...new Set(memories.map(({ tenantId }) => tenantId))];
  return tenants.flatMap((tenant) => [
    ...chunksOf(
      memories.filter(({ tenantId }) => tenantId === tenant),
      size,
    ),
  ]);
}

/** Condition on the vectors of some memories of one tenant. */
function vectorsOf(memories: readonly Excerpt[], model: string): SQL | undefined {
  return and(
    eq(memoryVectors.tenantId, memories[0]?.tenantId ?? ''),
    eq(memoryVectors.model, model),
    sql`${memoryVectors.memoryId} = ANY(${uuids(memories.map(({ id }) => id))})`,
  );
}

/**
 * Lays the median of both directions at 0, and stretches each side of each by itself, so that nearly all fills the square from -1
 * to 1. What lies farther out comes after it in the order of its distance, and is not heaped at the edge.
 */
function fit(found: readonly (Pick<Excerpt, 'tenantId' | 'id'> & Position)[], plane: Plane) {
  const [left = 0, top = 0] = plane.axes.map((axis) => dot(axis, plane.middle));
  const stretchX = stretching(found.map(({ x }) => x - left));
  const stretchY = stretching(found.map(({ y }) => y - top));
  return new Map(
    found.map(({ x, y, ...of }) => [placeOf(of), { x: stretchX(x - left), y: stretchY(y - top) }]),
  );
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
