import { and, eq, inArray, sql } from 'drizzle-orm';
import { addToCounter } from '../../kernel/commit/call-context.ts';
import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { ORIENTATION_KEY } from '../boot/orientation.ts';
import type { ExactMemory, ExactVersion } from '../export/exact.ts';
import { guardianEntries, isPending } from '../records/pending-change-schema.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { linkDigests } from '../reflection/write-digest.ts';
import { corpusCounter, corpusDelta } from '../search-index/corpus-delta.ts';
import {
  analysisColumns,
  type IndexEntry,
  indexMemories,
  toIndexEntries,
  unindexMemories,
} from '../search-index/index-memories.ts';

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
    addToCounter(context, corpusCounter, {
      documents: -gone.length,
      words: -gone.reduce((sum, { length }) => sum + length, 0),
    });
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
  readonly analysis: IndexEntry | undefined;
}

/** The slow part of restoring, outside any transaction. */
export async function prepareExact(
  context: Context,
  found: readonly ExactMemory[],
): Promise<PreparedExact[]> {
  const active = found.filter(({ archived_at }) => archived_at === undefined);
  const analyses = await toIndexEntries(
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
  const stored = await tx
    .insert(memories)
    .values(prepared.map((item) => toRow(context, item)))
    .onConflictDoNothing()
    .returning();
  const there = new Map(prepared.map((item) => [item.memory.id, item]));
  const active = stored.flatMap(({ id, type }) => {
    const analysis = there.get(id)?.analysis;
    return analysis ? [{ id, type, analysis }] : [];
  });
  await context.changePolicy.recordAdditions(
    tx,
    context,
    stored.filter(({ archivedAt }) => archivedAt === null),
    'import',
  );
  await indexMemories(tx, context, active);
  const echoes = await linkDigests(tx, context, stored);
  addToCounter(
    context,
    corpusCounter,
    corpusDelta(stored.map((row) => ({ ...row, echoes: echoes.has(row.id) }))),
  );
  for (const { id, type, version } of stored) {
    await context.emit(tx, 'memory.stored', { memory_id: id, type, version, outcome: 'created' });
  }
  return stored;
}

/** The row that a memory of an export was. */
export function toRow(
  context: Pick<Context, 'tenantId' | 'actor'>,
  { memory, analysis }: PreparedExact,
): MemoryRow {
  return {
    ...versionColumns(context, memory),
    tenantId: context.tenantId,
    id: memory.id,
    createdAt: memory.created_at,
    updatedAt: memory.updated_at,
    ...analysisColumns(analysis),
    derivedFrom: memory.derived_from,
    echoes: false,
    digestId: null,
    confirmations: memory.confirmations,
    lastConfirmedAt: memory.last_confirmed_at ?? null,
    conflictsWith: null,
  };
}

/** What became of the former versions of memories. */
interface RestoredVersions {
  /** Those that were stored, or were there already. */
  readonly stored: readonly ExactVersion[];
  /** Those that come before no version of their memory: the next ones of the memory will have their numbers. */
  readonly ahead: readonly ExactVersion[];
  /** Those whose memory waits with the Guardian. */
  readonly waiting: readonly ExactVersion[];
}

/** Stores former versions of memories that are there. */
export async function restoreVersions(
  tx: Tx,
  context: Context,
  versions: readonly ExactVersion[],
): Promise<RestoredVersions> {
  if (versions.length === 0) return { stored: [], ahead: [], waiting: [] };
  const { tenantId } = context;
  const ids = [...new Set(versions.map(({ memory_id }) => memory_id))];
  const present = await tx
    .select({ id: memories.id, version: memories.version })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), inArray(memories.id, ids)));
  const current = new Map(present.map(({ id, version }) => [id, version]));
  const ofKnown = versions.filter(({ memory_id }) => current.has(memory_id));
  const stored = ofKnown.filter(({ memory_id, version }) => version < (current.get(memory_id) ?? 0));
  if (stored.length > 0) {
    await tx
      .insert(memoryVersions)
      .values(
        stored.map((version) => ({
          ...versionColumns(context, version),
          tenantId,
          memoryId: version.memory_id,
          updatedAt: version.at,
          undone: version.undone,
        })),
      )
      .onConflictDoNothing();
  }
  const missing = ids.filter((id) => !current.has(id));
  const held = missing.length === 0 ? [] : await findPending(tx, tenantId, missing);
  const isStored = new Set(stored);
  return {
    stored,
    ahead: ofKnown.filter((version) => !isStored.has(version)),
    waiting: versions.filter(({ memory_id }) => held.includes(memory_id)),
  };
}

async function findPending(tx: Tx, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const waiting = await tx
    .select({ id: guardianEntries.memoryId })
    .from(guardianEntries)
    .where(
      and(eq(guardianEntries.tenantId, tenantId), inArray(guardianEntries.memoryId, [...ids]), isPending),
    );
  return waiting.map(({ id }) => id);
}

/** An agent's word does not make a text the human's: what its export says they wrote counts as imported. */
function versionColumns({ actor }: Pick<Context, 'actor'>, exact: ExactMemory | ExactVersion) {
  const told = (kind: Source) => (kind === 'human' && !actor.forHuman ? 'import' : kind);
  const source = told(exact.source.kind);
  const contentSource = told(exact.content_source ?? exact.source.kind);
  return {
    type: exact.type,
    category: exact.category,
    content: exact.content,
    key: exact.key,
    tags: exact.tags,
    importance: exact.importance,
    occurredAt: exact.occurred_at,
    validFrom: startUnlessOccurred(exact),
    validTo: exact.valid_to ?? null,
    expiresAt: exact.expires_at ?? null,
    metadata: exact.metadata ?? null,
    version: exact.version,
    change: exact.change,
    source,
    contentSource: contentSource === source ? null : contentSource,
    credentialId: exact.source.credential_id,
    agentId: null,
    archivedAt: exact.archived_at ?? null,
    sessionId: exact.session_id ?? null,
    supersededBy: exact.superseded_by ?? null,
    supersededBasis: exact.superseded_basis ?? null,
    mergedInto: exact.merged_into ?? null,
  };
}

/** An export names when each memory begins to hold, also where that is only when it occurred. */
function startUnlessOccurred({ valid_from, occurred_at }: ExactMemory | ExactVersion): Date | null {
  return valid_from === undefined || valid_from.getTime() === occurred_at.getTime() ? null : valid_from;
}
