import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { replacedBy } from '../memory/chain.ts';
import { archiveRow, changeMemory } from '../memory/change.ts';
import type { Prepared } from '../memory/insert.ts';
import { storePrepared } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import { joinTags } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';

/** A digest, and the episodes it is made of. */
export interface PreparedDigest {
  readonly prepared: Prepared;
  readonly sources: readonly MemoryRow[];
}

/** Stores a digest, marks its sources as digested, and archives them where that is asked. */
export async function writeDigest(
  tx: Tx,
  context: Context,
  { prepared, sources }: PreparedDigest,
  archive: boolean,
): Promise<Stored[]> {
  const stored = await storePrepared(tx, context, [prepared]);
  const [digest] = stored;
  if (!digest) return [];
  const ids = sources.map(({ id }) => id);
  await tx
    .update(memories)
    .set({ digestId: digest.memory.id })
    .where(and(eq(memories.tenantId, context.tenantId), sql`${memories.id} = ANY(${uuids(ids)})`));
  if (archive) for (const row of sources) await archiveRow(tx, context, row);
  await context.emit(tx, 'memory.compacted', {
    memory_id: digest.memory.id,
    sources: sources.length,
    archived: archive,
  });
  return stored;
}

/**
 * Archives a copy with a pointer to the older memory, which takes over its tags and the higher importance.
 *
 * @returns the older memory; undefined where the two stay, since one cannot have the tags of both, or what the copy superseded
 *   would hold again.
 */
export async function mergeCopy(
  tx: Tx,
  context: Context,
  older: MemoryRow,
  copy: MemoryRow,
): Promise<MemoryRow | undefined> {
  const tags = joinTags(older.tags, copy.tags);
  if (!tags || (await hasSuperseded(tx, context, copy))) return undefined;
  await changeMemory(tx, context, copy, {
    change: 'archived',
    archivedAt: context.now,
    mergedInto: older.id,
  });
  const importance = Math.max(older.importance, copy.importance);
  if (tags.length === older.tags.length && importance === older.importance) return older;
  return changeMemory(tx, context, older, { change: 'updated', fields: { tags, importance } });
}

/** Whether a memory has taken the place of one that is there. */
async function hasSuperseded(tx: Tx, { tenantId }: Context, { id }: MemoryRow): Promise<boolean> {
  const replaced = await tx
    .select({ id: memories.id })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        sql`${memories.id} IN (SELECT id FROM (${replacedBy(tenantId, [id])}) AS replaced)`,
      ),
    )
    .limit(1);
  return replaced.length > 0;
}

/**
 * Finds the episodes of digests that came back from an export, so that they go into no second one.
 *
 * @returns the ids of the digests whose episodes stay beside them.
 */
export async function linkDigests(
  tx: Tx,
  { tenantId }: Context,
  restored: readonly MemoryRow[],
): Promise<ReadonlySet<string>> {
  const digests = restored.filter(({ derivedFrom }) => derivedFrom.length > 0).map(({ id }) => id);
  if (digests.length === 0) return new Set();
  await tx.execute(sql`
    UPDATE ${memories} episode SET digest_id = digest.id FROM ${memories} digest
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})
      AND episode.tenant_id = digest.tenant_id AND episode.id = ANY(digest.derived_from)
      AND episode.type = 'episodic' AND episode.digest_id IS NULL`);
  const linked = await rows<{ id: string; echoes: boolean }>(
    tx,
    sql`UPDATE ${memories} digest SET echoes = EXISTS (
      SELECT FROM ${memories} episode WHERE episode.tenant_id = digest.tenant_id
        AND episode.id = ANY(digest.derived_from) AND episode.archived_at IS NULL)
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})
    RETURNING digest.id, digest.echoes`,
  );
  return new Set(linked.filter(({ echoes }) => echoes).map(({ id }) => id));
}
