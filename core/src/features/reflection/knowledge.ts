import { and, asc, eq, gt, lt, lte, min, or, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { chunksOf, uuids } from '../../kernel/database/parameters.ts';
import { readActiveModel } from '../embedding/embed.ts';
import type { Calibration } from '../embedding/embedder.ts';
import { dotProduct } from '../embedding/unit-vectors.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { embeddingQueue } from '../search-index/schema.ts';
import { loadRules } from '../visibility/rules.ts';
import { humanView, levelsOf } from '../visibility/view.ts';
import { comparable, loadVectors, vectorsOf } from './compared-vectors.ts';

/** Changed memories that are compared in one pass over all others. */
const AT_ONCE = 50;
const NEIGHBOURS = 8;
const ROWS_AT_ONCE = 50;

/** A text that the embedder has refused so often is not waited for. */
const MOST_ATTEMPTS = 5;

/** Two facts of which the newer may take the place of the older. */
export interface Pair {
  readonly older: MemoryRow;
  readonly newer: MemoryRow;
}

/** A memory and those most like it. */
interface Neighbours {
  readonly memory: MemoryRow;
  readonly near: readonly { readonly row: MemoryRow; readonly cosine: number }[];
}

/** What is most like some memories, and how the cosines are read. */
export interface FoundNeighbours {
  readonly neighbours: readonly Neighbours[];
  readonly calibration: Calibration;
}

/** The next memories that changed within a period, in the order of their change. */
export function loadChanged(
  tx: Tx,
  context: Context,
  period: {
    readonly since: string | null;
    readonly until: string;
    readonly after: { readonly at: string; readonly id: string } | null;
  },
): Promise<MemoryRow[]> {
  const { updatedAt, id } = memories;
  const { since, until, after } = period;
  return tx
    .select()
    .from(memories)
    .where(
      and(
        comparable(context),
        since === null ? undefined : gt(updatedAt, new Date(since)),
        lte(updatedAt, new Date(until)),
        after === null
          ? undefined
          : or(gt(updatedAt, new Date(after.at)), and(eq(updatedAt, new Date(after.at)), gt(id, after.id))),
      ),
    )
    .orderBy(asc(updatedAt), asc(id))
    .limit(AT_ONCE);
}

/**
 * The moment up to which changed memories have been compared: not those that wait for their vector, as while the embedder was
 * away. The next reflection compares them, and what changed since.
 */
export async function embeddedUntil(tx: Tx, context: Context, startedAt: Date): Promise<Date> {
  const model = await readActiveModel(tx, context);
  const { tenantId, memoryId, attempts } = embeddingQueue;
  const [waiting] = await tx
    .select({ first: min(memories.updatedAt) })
    .from(embeddingQueue)
    .innerJoin(memories, and(eq(memories.tenantId, tenantId), eq(memories.id, memoryId)))
    .where(
      and(
        eq(tenantId, context.tenantId),
        comparable(context),
        eq(embeddingQueue.model, model),
        lt(attempts, MOST_ATTEMPTS),
        lte(memories.updatedAt, startedAt),
      ),
    );
  return waiting?.first ? new Date(waiting.first.getTime() - 1) : startedAt;
}

/**
 * The memories of the same type that are nearest by exact cosine. Everything comparable is looked at, a slice at a time
 * and in transactions of its own, so that neither the database nor the process is held for long.
 */
export async function findNeighbours(
  context: Context,
  jobId: string,
  changed: readonly MemoryRow[],
  signal: AbortSignal,
): Promise<FoundNeighbours> {
  const ids = changed.map(({ id }) => id);
  const { model, vectors } = await context.read((tx) => loadVectors(tx, context, ids));
  const nearest = new Map<string, Near[]>();
  for (const type of new Set(changed.map((memory) => memory.type))) {
    const asked = changed.flatMap(({ id, type: own }) => {
      const vector = own === type ? vectors.get(id) : undefined;
      return vector ? [{ id, vector }] : [];
    });
    for (const { id } of asked) nearest.set(id, []);
    const dimensions = asked[0]?.vector.length;
    if (dimensions === undefined) continue;
    for await (const { id, vector } of vectorsOf(context, { jobId, type, model, dimensions })) {
      signal.throwIfAborted();
      for (const one of asked) {
        if (one.id !== id)
          keepNearest(nearest.get(one.id) ?? [], { id, cosine: dotProduct(one.vector, vector) });
      }
    }
  }
  const rows = await loadRows(context, [...nearest.values()].flat());
  const level = await levelsForHuman(context, [...ids, ...rows.keys()]);
  const neighbours = changed.map((memory) => ({
    memory,
    near: (nearest.get(memory.id) ?? []).flatMap(({ id, cosine }) => {
      const row = rows.get(id);
      return row && level(id) === level(memory.id) ? [{ row, cosine }] : [];
    }),
  }));
  return { neighbours, calibration: await context.embeddingModels.calibrationOf(model) };
}

/**
 * How much of each memory the human sees. What they see and what they do not are never compared: merged or superseded
 * by a hidden memory, one of theirs would tell of it.
 */
export function levelsForHuman(context: Context, ids: readonly string[]) {
  const { tenantId } = context;
  return context.read(async (tx) => {
    const view = humanView(await loadRules(tx, context));
    return levelsOf(tx, { tenantId, view }, ids);
  });
}

interface Near {
  readonly id: string;
  readonly cosine: number;
}

/** Keeps the few that are nearest, the nearest first. */
function keepNearest(kept: Near[], one: Near): void {
  if (kept.length === NEIGHBOURS && one.cosine <= (kept.at(-1)?.cosine ?? 0)) return;
  const place = kept.findIndex(({ cosine }) => cosine < one.cosine);
  kept.splice(place < 0 ? kept.length : place, 0, one);
  if (kept.length > NEIGHBOURS) kept.pop();
}

/** The neighbours themselves, as long as they can be compared, a few at a time: each may be long. */
async function loadRows(context: Context, near: readonly Near[]): Promise<ReadonlyMap<string, MemoryRow>> {
  const ids = [...new Set(near.map(({ id }) => id))];
  const found = new Map<string, MemoryRow>();
  for (const some of chunksOf(ids, ROWS_AT_ONCE)) {
    const loaded = await context.read((tx) =>
      tx
        .select()
        .from(memories)
        .where(and(comparable(context), sql`${memories.id} = ANY(${uuids(some)})`)),
    );
    for (const row of loaded) found.set(row.id, row);
  }
  return found;
}

/** Tells which pairs were settled before: what was taken back is not done again. */
export async function findSettled(
  tx: Tx,
  { tenantId }: Context,
  pairs: readonly Pair[],
): Promise<(pair: Pair) => boolean> {
  const ids = pairs.flatMap(({ older, newer }) => [older.id, newer.id]);
  const { memoryId, supersededBy, mergedInto } = memoryVersions;
  const before = await tx
    .select({ memoryId, supersededBy, mergedInto })
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`${memoryId} = ANY(${uuids(ids)})`,
        sql`(${supersededBy} IS NOT NULL OR ${mergedInto} IS NOT NULL)`,
      ),
    );
  const known = new Set(before.map((row) => `${row.memoryId} ${row.supersededBy ?? row.mergedInto}`));
  return ({ older, newer }) => known.has(`${older.id} ${newer.id}`) || known.has(`${newer.id} ${older.id}`);
}

/** Holds memories until the transaction ends; false where one is not any more what was read, or is in a digest since. */
export async function lockUnchanged(
  tx: Tx,
  { tenantId }: Context,
  read: readonly MemoryRow[],
): Promise<boolean> {
  const held = await tx
    .select({ id: memories.id, version: memories.version, digestId: memories.digestId })
    .from(memories)
    .where(
      and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(read.map(({ id }) => id))})`),
    )
    .orderBy(memories.id)
    .for('update');
  const now = new Map(held.map((row) => [row.id, row]));
  return read.every(({ id, version, digestId }) => {
    const row = now.get(id);
    return row?.version === version && row.digestId === digestId;
  });
}
