import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import { addToCounter } from '../../kernel/commit/call-context.ts';
import type { Actor } from '../../kernel/context/call.ts';
import { type Context, writerOf } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { violatesUnique } from '../../kernel/database/errors.ts';
import { chunksOf, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { contentSourceOf, fieldsOf, type Link, type MemoryFields, NO_LINK } from '../records/row.ts';
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
import { noMemory } from './find.ts';
import type { VersionAuthor } from './insert.ts';

/** The next version of a memory: what it changes of the current one. */
export interface NextVersion {
  readonly change: Change;
  readonly fields?: Partial<MemoryFields>;
  readonly archivedAt?: Date | null;
  readonly sessionId?: string | null;
  /** What supersedes it, and why. Default: as it was; none where the content changes, since that says something else. */
  readonly link?: Link | undefined;
  /** Default: as it was; null where the memory returns from the archive. */
  readonly mergedInto?: string | null;
  /** Needed when the content changes, or the memory returns from the archive. */
  readonly analysis?: IndexEntry;
  /** Who the change is recorded under; default: the caller. */
  readonly source?: Source;
  /** Who said the content. Default: as it was; the author of the change where the content changes. */
  readonly contentSource?: Source;
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

/** A locked memory, and what is to supersede it. */
export interface NewLink {
  readonly row: MemoryRow;
  readonly link: Link;
}

/** Memories that one statement links: some ten milliseconds' work for the embedded database. */
const LINKS_AT_ONCE = 200;

/**
 * Gives locked memories the next version of each in which another one supersedes it, and changes nothing else of them: what
 * `changeMemory` does for one, by two statements for many. Whether protected ones may be, the caller has asked.
 */
export async function linkMemories(tx: Tx, context: Context, all: readonly NewLink[]): Promise<void> {
  const { tenantId, now, actor } = context;
  const columns = sql.join(
    Object.values(getTableColumns(memoryVersions))
      .filter(({ name }) => name !== 'memory_id' && name !== 'undone')
      .map(({ name }) => sql.identifier(name)),
    sql`, `,
  );
  for (const some of chunksOf(all, LINKS_AT_ONCE)) {
    const links = JSON.stringify(
      some.map(({ row, link }) => ({ id: row.id, by: link.supersededBy, basis: link.supersededBasis })),
    );
    await tx.execute(sql`INSERT INTO ${memoryVersions} (memory_id, ${columns}) SELECT id, ${columns} FROM ${memories}
      WHERE tenant_id = ${tenantId}::uuid AND id = ANY(${uuids(some.map(({ row }) => row.id))})`);
    await tx.execute(sql`UPDATE ${memories} AS memory SET superseded_by = link.by, superseded_basis = link.basis,
        change = 'updated', version = version + 1, updated_at = ${timestamptz(now)}, source = ${actor.source},
        content_source = nullif(coalesce(memory.content_source, memory.source), ${actor.source}),
        credential_id = ${actor.credentialId}::uuid, agent_id = ${writerOf(context)}::uuid
      FROM json_to_recordset(${links}::json) AS link (id uuid, by uuid, basis text)
      WHERE memory.tenant_id = ${tenantId}::uuid AND memory.id = link.id`);
  }
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
          contentSource: contentSourceAfter(row, next, author.source),
          agentId: author.agentId,
          ...(next.archivedAt === undefined ? {} : { archivedAt: next.archivedAt }),
          ...(next.sessionId === undefined ? {} : { sessionId: next.sessionId }),
          ...marksAfter(row, next),
          ...(next.analysis && analysisColumns(next.analysis)),
        })
        .where(and(eq(memories.tenantId, context.tenantId), eq(memories.id, row.id)))
        .returning(),
    );
  } catch (error) {
    if (violatesUnique(error, 'memories_key')) {
      throw keyTaken((await mayRead(tx, context, row.id)) ? (next.fields?.key ?? row.key) : undefined);
    }
    throw error;
  }
  if (!changed) throw noMemory();
  return changed;
}

/** Who said the content of a memory once it is changed; null: the author of the change. */
function contentSourceAfter(
  row: MemoryRow,
  { fields, contentSource }: NextVersion,
  author: Source,
): Source | null {
  const isNew = fields?.content !== undefined && fields.content !== row.content;
  const saidBy = contentSource ?? (isNew ? author : contentSourceOf(row));
  return saidBy === author ? null : saidBy;
}

/** The marks by which a memory, once changed, says that another one supersedes it or has absorbed it. */
export function marksAfter(row: MemoryRow, next: Omit<NextVersion, 'change'>) {
  const content = next.fields?.content ?? row.content;
  const { supersededBy, supersededBasis } = next.link ?? (content === row.content ? row : NO_LINK);
  const mergedInto = next.archivedAt === null ? null : row.mergedInto;
  return {
    supersededBy,
    supersededBasis,
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
 * Archives the digest of an episode that is forgotten or changed, because the digest quotes its old words. The next reflection
 * makes a new one of the other episodes.
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
