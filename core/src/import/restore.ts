import { and, eq, inArray, sql } from 'drizzle-orm';
import { ORIENTATION_KEY } from '../boot/orientation.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { ExactMemory, ExactVersion } from '../export/exact.ts';
import { recordAdditions } from '../guardian/gate.ts';
import type { MemoryRow } from '../memory/schema.ts';
import { memories, memoryVersions } from '../memory/schema.ts';
import { sizeOf } from '../memory/size.ts';
import { type Analysis, analyzeContents, indexMemories, unindexMemories } from '../recall/index-memories.ts';
import { linkDigests } from '../reflection/link-digests.ts';

/** Whether the agent has no memories, but for the guide its first boot stored: then an export comes back as it was. */
export async function isUntouched(tx: Tx, { tenantId }: Context): Promise<boolean> {
  const [own] = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), sql`NOT (${isGuide})`))
    .limit(1);
  return own === undefined;
}

const isGuide = sql`${memories.key} IS NOT DISTINCT FROM ${ORIENTATION_KEY} AND ${memories.version} = 1
  AND ${memories.archivedAt} IS NULL AND ${memories.category} IS NOT DISTINCT FROM 'reorient'`;

/** Takes the stored guide away before an export comes back, which has its own. */
export async function removeGuide(tx: Tx, context: Context): Promise<void> {
  const gone = await tx
    .delete(memories)
    .where(and(eq(memories.tenantId, context.tenantId), isGuide))
    .returning({ id: memories.id, length: memories.length });
  if (gone.length > 0) {
    context.grow({ documents: -gone.length, words: -gone.reduce((sum, { length }) => sum + length, 0) });
    await unindexMemories(
      tx,
      context,
      gone.map(({ id }) => id),
    );
  }
}

/** Memories of an export ready to be stored as they were. */
export interface PreparedExact {
  readonly memory: ExactMemory;
  /** Absent for an archived one, which recall does not know. */
  readonly analysis: Analysis | undefined;
}

/** The slow part of restoring, outside any transaction. */
export async function prepareExact(
  context: Context,
  found: readonly ExactMemory[],
): Promise<PreparedExact[]> {
  const active = found.filter(({ archived_at }) => archived_at === undefined);
  const analyses = await analyzeContents(
    context,
    active.map(({ content }) => content),
  );
  const byMemory = new Map(active.map((memory, index) => [memory, analyses[index]]));
  return found.map((memory) => ({ memory, analysis: byMemory.get(memory) }));
}

/**
 * Stores memories with the ids, times, versions and authors they had.
 *
 * @returns which were stored; the others have the id or the key of a memory that is there.
 */
export async function restoreMemories(
  tx: Tx,
  context: Context,
  prepared: readonly PreparedExact[],
): Promise<MemoryRow[]> {
  if (prepared.length === 0) return [];
  const { tenantId } = context;
  const stored = await tx
    .insert(memories)
    .values(
      prepared.map(({ memory, analysis }) => ({
        ...versionColumns(memory),
        tenantId,
        id: memory.id,
        createdAt: memory.created_at,
        updatedAt: memory.updated_at,
        length: analysis?.terms.length ?? 0,
        fingerprint: analysis?.fingerprint ?? 0n,
        derivedFrom: memory.derived_from,
      })),
    )
    .onConflictDoNothing()
    .returning();
  const there = new Map(prepared.map((item) => [item.memory.id, item]));
  const active = stored.flatMap(({ id }) => {
    const analysis = there.get(id)?.analysis;
    return analysis ? [{ id, analysis }] : [];
  });
  await recordAdditions(
    tx,
    context,
    stored.filter(({ archivedAt }) => archivedAt === null),
    'import',
  );
  await indexMemories(tx, context, active);
  const echoes = await linkDigests(tx, context, stored);
  context.grow(sizeOf(stored.map((row) => ({ ...row, echoes: echoes.has(row.id) }))));
  for (const { id, type, version } of stored) {
    await context.emit(tx, 'memory.stored', { memory_id: id, type, version, outcome: 'created' });
  }
  return stored;
}

/**
 * Stores former versions of memories that are there.
 *
 * @returns which memories are missing.
 */
export async function restoreVersions(
  tx: Tx,
  { tenantId }: Context,
  versions: readonly ExactVersion[],
): Promise<ReadonlySet<string>> {
  if (versions.length === 0) return new Set();
  const ids = [...new Set(versions.map(({ memory_id }) => memory_id))];
  const present = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), inArray(memories.id, ids)));
  const known = new Set(present.map(({ id }) => id));
  const kept = versions.filter(({ memory_id }) => known.has(memory_id));
  if (kept.length > 0) {
    await tx
      .insert(memoryVersions)
      .values(
        kept.map((version) => ({
          ...versionColumns(version),
          tenantId,
          memoryId: version.memory_id,
          updatedAt: version.at,
          undone: version.undone,
        })),
      )
      .onConflictDoNothing();
  }
  return new Set(ids.filter((id) => !known.has(id)));
}

function versionColumns(exact: ExactMemory | ExactVersion) {
  return {
    type: exact.type,
    category: exact.category,
    content: exact.content,
    key: exact.key,
    tags: exact.tags,
    importance: exact.importance,
    occurredAt: exact.occurred_at,
    version: exact.version,
    change: exact.change,
    source: exact.source.kind,
    credentialId: exact.source.credential_id,
    archivedAt: exact.archived_at ?? null,
    sessionId: exact.session_id ?? null,
    supersededBy: exact.superseded_by ?? null,
    mergedInto: exact.merged_into ?? null,
  };
}
