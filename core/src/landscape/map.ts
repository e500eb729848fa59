import { and, desc, eq, sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import type { Tx } from '../database/database.ts';
import { answeringModel } from '../embedding/embed-query.ts';
import type { Context, Operation } from '../engine/context.ts';
import { memories } from '../memory/schema.ts';
import { matches } from '../recall/filters.ts';
import { memoryVectors } from '../recall/schema.ts';
import { EXCERPT_CHARACTERS, type Place } from './contract.ts';
import { levels } from './levels.ts';
import { dot, type Plane, principalPlane } from './project.ts';

/** Vectors that decide the plane: enough for its directions, few enough to compute with at once. */
const SAMPLE = 1_200;
/** Share of the memories that spans most of the map; what lies farther out stands at its edge. */
const CORE_SHARE = 0.99;

/** The memories on a plane. Only what the caller may read has a part in it. Issue: GET /memories/map. */
export const memoryMap: Operation<'memoryMap'> = (context, { limit }) =>
  context.read(async (tx) => {
    const levelOf = await levels(tx, context);
    const rows = (await newest(tx, context.tenantId, limit)).filter((row) => levelOf(row) !== 'hidden');
    const shown = rows.filter((row) => levelOf(row) === 'full');
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

/** Index memories_time. */
function newest(tx: Tx, tenantId: string, limit: number) {
  const { id, type, category, key, tags, occurredAt, content } = memories;
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
    .where(matches(tenantId, {}))
    .orderBy(desc(occurredAt), desc(id))
    .limit(limit);
}

type Position = Pick<Place, 'x' | 'y'>;

async function locate(tx: Tx, context: Context, ids: readonly string[]): Promise<Map<string, Position>> {
  const { tenantId } = context;
  const own = and(
    eq(memoryVectors.tenantId, tenantId),
    eq(memoryVectors.model, await answeringModel(tx, context)),
  );
  const step = Math.max(1, Math.ceil(ids.length / SAMPLE));
  const sample = ids.filter((_, index) => index % step === 0);
  if (sample.length === 0) return new Map();
  const vectors = await tx
    .select({ embedding: memoryVectors.embedding })
    .from(memoryVectors)
    .where(and(own, sql`${memoryVectors.memoryId} = ANY(${uuids(sample)})`))
    .orderBy(memoryVectors.memoryId);
  const plane = principalPlane(vectors.map(({ embedding }) => embedding));
  // The database multiplies: two numbers come back for each memory instead of its whole vector.
  const along = (axis: Float64Array) =>
    sql<number>`-(${memoryVectors.embedding} <#> ${vectorLiteral(Float32Array.from(axis))}::vector)`;
  const found = await tx
    .select({ id: memoryVectors.memoryId, x: along(plane.axes[0]), y: along(plane.axes[1]) })
    .from(memoryVectors)
    .where(own);
  const wanted = new Set(ids);
  return fit(
    found.filter(({ id }) => wanted.has(id)),
    plane,
  );
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
