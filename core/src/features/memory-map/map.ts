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
import type { memoryMapRoutes } from './contract.ts';
import { EXCERPT_CHARACTERS, type Place } from './contract.ts';
import { dot, type Plane, principalPlane } from './project.ts';

/** Vectors that decide the plane: enough for its directions, few enough to compute with at once. */
const SAMPLE = 1_200;
/** Rows that one statement reads, and vectors, which take more. */
const PAGE = 500;
const VECTORS_AT_ONCE = 50;
/** Share of the memories that spans most of the map; what lies farther out stands at its edge. */
const CORE_SHARE = 0.99;

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
    const places = shown.flatMap(({ occurredAt, ...row }): Place[] => {
      const position = positions.get(row.id);
      return position ? [{ ...row, occurred_at: occurredAt.toISOString(), ...position }] : [];
    });
    return { places, unplaced: rows.length - places.length };
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

/** Moves the middle to 0 and scales both directions alike, so that nearly all fills the square from -1 to 1. */
function fit(
  found: readonly { readonly id: string; readonly x: number; readonly y: number }[],
  plane: Plane,
) {
  const [left, top] = plane.axes.map((axis) => dot(axis, plane.middle));
  const apart = found.map(({ id, x, y }) => ({ id, x: x - (left ?? 0), y: y - (top ?? 0) }));
  const reach = apart.map(({ x, y }) => Math.max(Math.abs(x), Math.abs(y))).sort((a, b) => a - b);
  const spread = reach[Math.floor(CORE_SHARE * (reach.length - 1))] ?? 0;
  // Copies of one vector differ by rounding only.
  const scale = spread > 1e-5 ? spread : 1;
  const within = (value: number) => Math.round(1e4 * Math.max(-1, Math.min(1, value / scale))) / 1e4 + 0;
  return new Map(apart.map(({ id, x, y }) => [id, { x: within(x), y: within(y) }]));
}
