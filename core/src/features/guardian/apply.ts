import { and, eq } from 'drizzle-orm';
import { addToCounter } from '../../kernel/commit/call-context.ts';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { changeMemory, type NextVersion } from '../memory/change.ts';
import { firstVersion, insertStatement } from '../memory/insert.ts';
import { emitStored } from '../memory/store.ts';
import type { Stored } from '../records/contract.ts';
import type { EntryRow } from '../records/pending-change-schema.ts';
import { toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { corpusCounter, corpusDelta } from '../search-index/corpus-delta.ts';
import { type IndexEntry, indexMemories, toIndexEntries } from '../search-index/index-memories.ts';
import { toMemoryFields } from './entry.ts';
import { compareMeaning } from './meaning/compare.ts';

/** Analyses what a change would make of a memory, outside the transaction; nothing where the content stays. */
export async function analyzeProposed(
  context: Context,
  { current, proposed }: EntryRow,
): Promise<IndexEntry | undefined> {
  if (!proposed || proposed.content === current?.content) return undefined;
  const [analysis] = await toIndexEntries(context, [proposed.content]);
  return analysis;
}

/**
 * Holds the memory of an entry until the transaction ends; taken before the entry itself, as by everyone who changes
 * memories, so that nobody waits in a circle.
 */
export async function lockMemory(
  tx: Tx,
  { tenantId }: Context,
  memoryId: string,
): Promise<MemoryRow | undefined> {
  const [row] = await tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), eq(memories.id, memoryId)))
    .for('update');
  return row;
}

/**
 * Makes the change of an entry that has just been decided, under the name of whoever asked for it.
 *
 * @returns What was stored; nothing for a removal.
 * @throws SvcError `CONFLICT` when the memory is archived or erased, or another has taken the key.
 */
export async function applyChange(
  tx: Tx,
  context: Context,
  entry: EntryRow,
  row: MemoryRow | undefined,
  analysis: IndexEntry | undefined,
): Promise<Stored | undefined> {
  const { current, proposed } = entry;
  const decided = {
    author: { source: entry.source, credentialId: entry.credentialId, agentId: entry.agentId },
  };
  const indexed = analysis ? { analysis } : {};
  if (!current && proposed) {
    const added = row
      ? await changeMemory(tx, context, row, {
          change: row.archivedAt ? 'restored' : 'updated',
          fields: toMemoryFields(proposed),
          archivedAt: null,
          decided,
          ...indexed,
        })
      : await insertApproved(tx, context, entry, analysis);
    return announce(tx, context, { outcome: row ? 'updated' : 'created', memory: toMemory(added) });
  }
  if (!row || row.archivedAt) {
    throw new SvcError('CONFLICT', 'The memory of this change is archived.');
  }
  if (!proposed) {
    await changeMemory(tx, context, row, { change: 'archived', archivedAt: context.now, decided });
    return undefined;
  }
  const fields = toMemoryFields(proposed);
  const changed = await changeMemory(tx, context, row, {
    change: 'updated',
    fields,
    decided,
    ...indexed,
    ...placeKept(row, fields.content),
  });
  return announce(tx, context, { outcome: 'updated', memory: toMemory(changed) });
}

/** What says the same as before stays superseded: a mended misspelling must not bring back what another memory replaced. */
function placeKept(row: MemoryRow, next: string): Pick<NextVersion, 'link'> {
  return compareMeaning(row.content, next).concerns.length === 0 ? { link: row } : {};
}

async function announce(tx: Tx, context: Context, stored: Stored): Promise<Stored> {
  await emitStored(tx, context, stored);
  return stored;
}

/** Stores a memory that waited for the human, under the id its entry names. */
async function insertApproved(
  tx: Tx,
  context: Context,
  { memoryId, proposed, source, credentialId, agentId }: EntryRow,
  analysis: IndexEntry | undefined,
): Promise<MemoryRow> {
  if (!proposed || !analysis) throw new SvcError('INTERNAL', 'The addition was not prepared.');
  const { tenantId, now } = context;
  const fields = toMemoryFields(proposed);
  const author = { source, credentialId, agentId };
  const row = firstVersion({ tenantId, id: memoryId, now }, fields, author, analysis);
  const inserted = await rows<{ id: string }>(tx, insertStatement([row]));
  if (inserted.length === 0) {
    throw new SvcError(
      'CONFLICT',
      'Another active memory has the key of this one. Change or forget that first.',
    );
  }
  addToCounter(context, corpusCounter, corpusDelta([row]));
  await indexMemories(tx, context, [{ id: memoryId, type: row.type, analysis }]);
  return row;
}
