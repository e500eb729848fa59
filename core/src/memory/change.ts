import { and, eq, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import { violates } from '../database/errors.ts';
import type { Actor, Context } from '../engine/context.ts';
import { refuseUnguarded } from '../guardian/gate.ts';
import { type Analysis, indexMemories, unindexMemories } from '../recall/index-memories.ts';
import { retireDigest } from './retire-digest.ts';
import { fieldsOf, type MemoryFields } from './row.ts';
import { type Change, type MemoryRow, memories, memoryVersions } from './schema.ts';
import { sizeOf } from './size.ts';

/** What a change leaves behind in place of the current version. */
export interface NextVersion {
  readonly change: Change;
  readonly fields?: Partial<MemoryFields>;
  readonly archivedAt?: Date | null;
  readonly sessionId?: string | null;
  /** Default: as it was; a new content supersedes anew. */
  readonly supersededBy?: string | null;
  /** Default: as it was; what returns from the archive stands for itself. */
  readonly mergedInto?: string | null;
  /** Needed when the content changes, or the memory returns from the archive. */
  readonly analysis?: Analysis;
  /** Who the change is recorded under; default: the caller. */
  readonly source?: Source;
  /** Set where the Guardian or the human has decided; without it nothing changes a protected memory. */
  readonly decided?: { readonly author: Actor };
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
  const author = next.decided?.author ?? {
    source: next.source ?? context.actor.source,
    credentialId: context.actor.credentialId,
  };
  if (!next.decided && !row.archivedAt) {
    const fields = next.archivedAt ? null : { ...fieldsOf(row), ...next.fields };
    await refuseUnguarded(tx, context, row, fields);
  }
  const own = and(eq(memories.tenantId, context.tenantId), eq(memories.id, row.id));
  await tx.insert(memoryVersions).values({ ...row, memoryId: row.id });
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
          ...(next.archivedAt === undefined ? {} : { archivedAt: next.archivedAt }),
          ...(next.sessionId === undefined ? {} : { sessionId: next.sessionId }),
          ...marks(row, next),
          ...(next.analysis
            ? { length: next.analysis.terms.length, fingerprint: next.analysis.fingerprint }
            : {}),
        })
        .where(own)
        .returning(),
    );
  } catch (error) {
    if (violates(error, 'memories_key')) throw keyTaken(next.fields?.key ?? row.key);
    throw error;
  }
  if (!changed) throw new SvcError('NOT_FOUND', 'There is no memory with this id.');
  const [before, after] = [sizeOf([row]), sizeOf([changed])];
  context.grow({ documents: after.documents - before.documents, words: after.words - before.words });
  const isGone = Boolean(next.archivedAt) || changed.content !== row.content;
  if (isGone && author.source !== 'reflection') await retireDigest(tx, context, row);
  if (next.archivedAt || next.analysis) await unindexMemories(tx, context, [row.id]);
  if (next.analysis) await indexMemories(tx, context, [{ id: row.id, analysis: next.analysis }]);
  return changed;
}

/** How the memory stands to others after the change. */
function marks(row: MemoryRow, next: NextVersion) {
  const content = next.fields?.content ?? row.content;
  const supersededBy = content === row.content ? row.supersededBy : null;
  const mergedInto = next.archivedAt === null ? null : row.mergedInto;
  return {
    supersededBy: next.supersededBy === undefined ? supersededBy : next.supersededBy,
    mergedInto: next.mergedInto === undefined ? mergedInto : next.mergedInto,
  };
}

function keyTaken(key: string | null): SvcError {
  return new SvcError('CONFLICT', `Another active memory already has the key ${JSON.stringify(key)}.`, {
    details: { key },
  });
}
