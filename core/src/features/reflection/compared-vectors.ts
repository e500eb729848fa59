import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { type Database, rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { readActiveModel } from '../embedding/embed.ts';
import { memories } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import { memoryVectors } from '../search-index/schema.ts';

/** What can be compared: neither core nor episodes nor digests, nor what has expired. */
export function comparable({ tenantId, now }: Pick<Context, 'tenantId' | 'now'>): SQL | undefined {
  return and(
    eq(memories.tenantId, tenantId),
    isUnexpired(now),
    inArray(memories.type, ['semantic', 'working']),
    isNull(memories.archivedAt),
    sql`cardinality(${memories.derivedFrom}) = 0`,
  );
}

/** The tenant's active model, and by id the vectors of memories that have one of it. */
export async function loadVectors(tx: Tx, context: Context, ids: readonly string[]) {
  const model = await readActiveModel(tx, context);
  const { tenantId, memoryId, embedding } = memoryVectors;
  const found = await tx
    .select({ id: memoryId, vector: embedding })
    .from(memoryVectors)
    .where(
      and(
        eq(tenantId, context.tenantId),
        eq(memoryVectors.model, model),
        sql`${memoryId} = ANY(${uuids(ids)})`,
      ),
    );
  return { model, vectors: new Map(found.map(({ id, vector }) => [id, vector])) };
}

/** Numbers of vectors that one statement reads: a few milliseconds' work for the embedded database. */
const SLICE_NUMBERS = 6_000;
const LEAST_ROWS = 20;
/** Numbers of vectors that stay in memory from one step of a job to the next. */
const MOST_KEPT = 4_000_000;

interface ComparedVector {
  readonly id: string;
  readonly vector: Float32Array;
}

/** Which vectors a step of a job needs. */
interface Wanted {
  readonly jobId: string;
  readonly type: string;
  readonly model: string;
  readonly dimensions: number;
}

// Of each database those of the job that came last. They may be of memories that are gone by now.
const kept = new WeakMap<
  Database,
  { readonly jobId: string; readonly byType: Map<string, ComparedVector[]> }
>();

/**
 * The vectors of everything comparable of one type, in the order of time. They are read a slice at a time, each in a
 * transaction of its own, once for a job where they are not too many to be kept in memory.
 */
export async function* vectorsOf(context: Context, wanted: Wanted): AsyncGenerator<ComparedVector> {
  const { jobId, type, model, dimensions } = wanted;
  const last = kept.get(context.database);
  const own = last?.jobId === jobId ? last : { jobId, byType: new Map<string, ComparedVector[]>() };
  kept.set(context.database, own);
  const known = own.byType.get(`${type} ${model}`);
  if (known) {
    for (const one of known) {
      await yieldToEventLoop();
      yield one;
    }
    return;
  }
  const read: ComparedVector[] = [];
  const most = Math.max(LEAST_ROWS, Math.floor(SLICE_NUMBERS / dimensions));
  let after: Position | undefined;
  for (;;) {
    const page = { type, model, after, most };
    const slice = await context.read((tx) => loadSlice(tx, context, page));
    for (const { id, vector } of slice) {
      await yieldToEventLoop();
      if (!vector) continue;
      if (read.length * dimensions <= MOST_KEPT) read.push({ id, vector });
      yield { id, vector };
    }
    after = slice.at(-1);
    if (slice.length < most) break;
  }
  if (read.length * dimensions <= MOST_KEPT) own.byType.set(`${type} ${model}`, read);
}

/** Lets go of what was kept for a job. */
export function forgetVectors({ database }: Context, jobId: string): void {
  if (kept.get(database)?.jobId === jobId) kept.delete(database);
}

/** A place in the order of time. */
interface Position {
  readonly id: string;
  readonly at: string;
}

/** The next comparable memories of a type with their vectors, in the order of time. */
async function loadSlice(
  tx: Tx,
  context: Context,
  page: {
    readonly type: string;
    readonly model: string;
    readonly after: Position | undefined;
    readonly most: number;
  },
): Promise<(Position & { readonly vector: Float32Array | null })[]> {
  const { type, model, after, most } = page;
  const { occurredAt, id } = memories;
  const behind =
    after === undefined
      ? sql`true`
      : sql`(${occurredAt}, ${id}) > (${after.at}::timestamptz, ${after.id}::uuid)`;
  const found = await rows<Position & { vector: string | null }>(
    tx,
    // Index memories_type_time, then one vector at a time by its key, whatever the planner believes.
    sql`WITH page AS MATERIALIZED (
          SELECT ${id} AS id, ${occurredAt} AS at FROM ${memories}
          WHERE ${comparable(context)} AND ${memories.type} = ${type} AND ${behind}
          ORDER BY ${occurredAt}, ${id} LIMIT ${most}::int)
        SELECT page.id, page.at::text AS at, own.vector FROM page LEFT JOIN LATERAL (
          SELECT embedding::text AS vector FROM ${memoryVectors}
          WHERE tenant_id = ${context.tenantId}::uuid AND model = ${model} AND memory_id = page.id LIMIT 1) own ON true
        ORDER BY page.at, page.id`,
  );
  return found.map(({ vector, ...position }) => ({
    ...position,
    vector: vector === null ? null : Float32Array.from(JSON.parse(vector)),
  }));
}
