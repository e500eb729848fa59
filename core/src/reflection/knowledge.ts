import { and, asc, eq, gt, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import { rows, type Tx } from '../database/database.ts';
import { answeringModel } from '../embedding/embed-query.ts';
import type { Context } from '../engine/context.ts';
import { type MemoryRow, memories, memoryVersions } from '../memory/schema.ts';
import { memoryVectors } from '../recall/schema.ts';

const AT_ONCE = 25;
const NEIGHBOURS = 8;

/** A memory and those most like it. */
export interface Neighbours {
  readonly memory: MemoryRow;
  readonly near: readonly { readonly row: MemoryRow; readonly cosine: number }[];
}

/** What can be compared: neither core nor episodes nor digests. */
function comparable(tenantId: string): SQL | undefined {
  return and(
    eq(memories.tenantId, tenantId),
    inArray(memories.type, ['semantic', 'working']),
    isNull(memories.archivedAt),
    sql`cardinality(${memories.derivedFrom}) = 0`,
  );
}

/** The next memories that changed within a period, in the order of their change. */
export function loadChanged(
  tx: Tx,
  { tenantId }: Context,
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
        comparable(tenantId),
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

/** The memories of the same type that are nearest by exact cosine. */
export async function loadNeighbours(
  tx: Tx,
  context: Context,
  changed: readonly MemoryRow[],
): Promise<Neighbours[]> {
  if (changed.length === 0) return [];
  const { tenantId } = context;
  const model = await answeringModel(tx, context);
  const ids = uuids(changed.map(({ id }) => id));
  const near = await rows<{ id: string; near: string; cosine: number }>(
    tx,
    sql`SELECT own.memory_id AS id, near.memory_id AS near, near.cosine
        FROM ${memoryVectors} own
        JOIN ${memories} memory ON memory.tenant_id = own.tenant_id AND memory.id = own.memory_id
        CROSS JOIN LATERAL (
          SELECT vector.memory_id, 1 - (vector.embedding <=> own.embedding) AS cosine
          FROM ${memoryVectors} vector
          JOIN ${memories} ON ${memories.tenantId} = vector.tenant_id AND ${memories.id} = vector.memory_id
          WHERE vector.tenant_id = ${tenantId}::uuid AND vector.model = ${model}
            AND vector.memory_id <> own.memory_id AND ${memories.type} = memory.type AND ${comparable(tenantId)}
          ORDER BY vector.embedding <=> own.embedding, vector.memory_id LIMIT ${NEIGHBOURS}) near
        WHERE own.tenant_id = ${tenantId}::uuid AND own.model = ${model} AND own.memory_id = ANY(${ids})
        ORDER BY near.cosine DESC, near.memory_id`,
  );
  const loaded = await tx
    .select()
    .from(memories)
    .where(
      and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(near.map((one) => one.near))})`),
    );
  const byId = new Map(loaded.map((row) => [row.id, row]));
  return changed.map((memory) => ({
    memory,
    near: near.flatMap(({ id, near: other, cosine }) => {
      const row = id === memory.id ? byId.get(other) : undefined;
      return row ? [{ row, cosine }] : [];
    }),
  }));
}

/**
 * Tells which pairs were settled before: what was taken back is not done again.
 */
export async function findSettled(
  tx: Tx,
  { tenantId }: Context,
  pairs: readonly { readonly older: MemoryRow; readonly newer: MemoryRow }[],
): Promise<(pair: { readonly older: MemoryRow; readonly newer: MemoryRow }) => boolean> {
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

/** Holds memories until the transaction ends; false where one is not any more what was compared. */
export async function lockUnchanged(
  tx: Tx,
  { tenantId }: Context,
  compared: readonly MemoryRow[],
): Promise<boolean> {
  const held = await tx
    .select({ id: memories.id, version: memories.version })
    .from(memories)
    .where(
      and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(compared.map(({ id }) => id))})`),
    )
    .orderBy(memories.id)
    .for('update');
  const versions = new Map(held.map(({ id, version }) => [id, version]));
  return compared.every(({ id, version }) => versions.get(id) === version);
}
