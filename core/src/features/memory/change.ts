import { and, eq, isNull, sql } from 'drizzle-orm';
import { addToCounter } from '../../kernel/commit/call-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { type Context, writerOf } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { violatesUnique } from '../../kernel/database/errors.ts';
import { fieldsOf, type MemoryFields } from '../records/row.ts';
import { type Change, type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { corpusCounter, corpusDelta } from '../search-index/corpus-delta.ts';
import {
  analysisColumns,
  type IndexEntry,
  indexMemories,
  retypeTerms,
  unindexMemories,
} from '../search-index/index-memories.ts';
import { mayRead } from '../visibility/withheld.ts';
import type { VersionAuthor } from './insert.ts';

/** The next version of a memory: what it changes of the current one. */
export interface NextVersion {
  readonly change: Change;
  readonly fields?: Partial<MemoryFields>;
  readonly archivedAt?: Date | null;
  readonly sessionId?: string | null;
  /** Default: as it was; null where the content changes, since that says something else. */
  readonly supersededBy?: string | null;
  /** Default: as it was; null where the memory returns from the archive. */
  readonly mergedInto?: string | null;
  /** Needed when the content changes, or the memory returns from the archive. */
  readonly analysis?: IndexEntry;
  /** Who the change is recorded under; default: the caller. */
  readonly source?: Source;
  /** Set where the Guardian or the human has decided; without it nothing changes a protected memory. */
  readonly decided?: { readonly author: Actor & { readonly agentId?: string | null } };
}

/**
 * Replaces the current version of a locked memory and keeps the old one in its history. Every change to a stored
 * memory, whoever asks for it, goes through here.
 *
 * @throws SvcError `CONFLICT` when another active memory has the new key; `FORBIDDEN` when the memory is protected and
 *   nobody has decided.
 */
export async function changeMemory(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  next: NextVersion,
): Promise<MemoryRow> {
  const author = {
    source: next.source ?? context.actor.source,
    credentialId: context.actor.credentialId,
    agentId: writerOf(context),
    ...next.decided?.author,
  };
  if (!next.decided && !row.archivedAt) {
    const fields = next.archivedAt ? null : { ...fieldsOf(row), ...next.fields };
    await context.changePolicy.assertApproved(tx, context, row, fields);
  }
  await tx.insert(memoryVersions).values({ ...row, memoryId: row.id });
  const changed = await replaceRow(tx, context, row, next, author);
  const [before, after] = [corpusDelta([row]), corpusDelta([changed])];
  addToCounter(context, corpusCounter, {
    documents: after.documents - before.documents,
    words: after.words - before.words,
  });
  const isGone = Boolean(next.archivedAt) || changed.content !== row.content;
  if (isGone && author.source !== 'reflection') await retireDigest(tx, context, row);
  if (next.archivedAt || next.analysis) await unindexMemories(tx, context, [row.id]);
  if (next.analysis)
    await indexMemories(tx, context, [{ id: row.id, type: changed.type, analysis: next.analysis }]);
  else if (changed.type !== row.type) await retypeTerms(tx, context, changed);
  await emitArchiving(tx, context, row, changed);
  return changed;
}

/** The event of a memory that goes into the archive or comes back. */
async function emitArchiving(
  tx: Tx,
  context: Context,
  before: MemoryRow,
  { id, type, version, archivedAt }: MemoryRow,
): Promise<void> {
  if ((before.archivedAt === null) === (archivedAt === null)) return;
  const event = archivedAt === null ? 'memory.restored' : 'memory.archived';
  await context.emit(tx, event, { memory_id: id, type, version });
}

/** Writes the next version over the current one. */
async function replaceRow(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  next: NextVersion,
  author: VersionAuthor,
): Promise<MemoryRow> {
  const own = and(eq(memories.tenantId, context.tenantId), eq(memories.id, row.id));
  let changed: MemoryRow | undefined;
  try {
    // A savepoint, so that the refused update leaves a transaction that can still answer.
    [changed] = await tx.transaction((nested) =>
      nested
        .update(memories)
        .set({
          ...next.fields,
          change: next.change,
          version: sql`${memories.version} + 1`,
          updatedAt: context.now,
          source: author.source,
          credentialId: author.credentialId,
          agentId: author.agentId,
          ...(next.archivedAt === undefined ? {} : { archivedAt: next.archivedAt }),
          ...(next.sessionId === undefined ? {} : { sessionId: next.sessionId }),
          ...marksAfter(row, next),
          ...(next.analysis && analysisColumns(next.analysis)),
        })
        .where(own)
        .returning(),
    );
  } catch (error) {
    if (violatesUnique(error, 'memories_key')) {
      throw keyTaken((await mayRead(tx, context, row.id)) ? (next.fields?.key ?? row.key) : undefined);
    }
    throw error;
  }
  if (!changed) throw new SvcError('NOT_FOUND', 'There is no memory with this id.');
  return changed;
}

/** The marks by which a memory, once changed, says that another one supersedes it or has absorbed it. */
export function marksAfter(row: MemoryRow, next: Omit<NextVersion, 'change'>) {
  const content = next.fields?.content ?? row.content;
  const supersededBy = content === row.content ? row.supersededBy : null;
  const mergedInto = next.archivedAt === null ? null : row.mergedInto;
  return {
    supersededBy: next.supersededBy === undefined ? supersededBy : next.supersededBy,
    mergedInto: next.mergedInto === undefined ? mergedInto : next.mergedInto,
  };
}

/** @param key Undefined where the caller must not know it. */
function keyTaken(key: string | null | undefined): SvcError {
  if (key === undefined) return new SvcError('CONFLICT', 'Another active memory already has its key.');
  return new SvcError('CONFLICT', `Another active memory already has the key ${JSON.stringify(key)}.`, {
    details: { key },
  });
}

/**
 * Archives the digest of an episode that is forgotten or changed, because the digest quotes its old words. The next reflection makes
 * a new one of the other episodes.
 */
async function retireDigest(tx: Tx, context: Context, { digestId }: MemoryRow): Promise<void> {
  if (digestId === null) return;
  const [digest] = await tx
    .select()
    .from(memories)
    .where(
      and(eq(memories.tenantId, context.tenantId), eq(memories.id, digestId), isNull(memories.archivedAt)),
    )
    .for('update');
  if (!digest) return;
  await changeMemory(tx, context, digest, {
    change: 'archived',
    archivedAt: context.now,
    source: 'reflection',
  });
}

/** Archives a locked, active memory: out of recall, query and boot, its key free, restorable for 30 days. */
export function archiveRow(tx: Tx, context: Context, row: MemoryRow, source?: Source): Promise<MemoryRow> {
  return changeMemory(tx, context, row, {
    change: 'archived',
    archivedAt: context.now,
    ...(source ? { source } : {}),
  });
}
