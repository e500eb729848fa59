import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { changeMemory } from '../memory/change.ts';
import type { Stored } from '../memory/contract.ts';
import { toMemory } from '../memory/row.ts';
import { type MemoryRow, memories } from '../memory/schema.ts';
import { emitStored } from '../memory/store.ts';
import { type Analysis, analyzeContents } from '../recall/index-memories.ts';
import { toMemoryFields } from './entry.ts';
import type { EntryRow } from './schema.ts';

/** Analyses what a change would make of a memory, outside the transaction; nothing where the content stays. */
export async function analyzeProposed(
  context: Context,
  { current, proposed }: EntryRow,
): Promise<Analysis | undefined> {
  if (!proposed || proposed.content === current?.content) return undefined;
  const [analysis] = await analyzeContents(context, [proposed.content]);
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
  analysis: Analysis | undefined,
): Promise<Stored | undefined> {
  if (!row || row.archivedAt) {
    throw new SvcError('CONFLICT', 'The memory of this change is archived.');
  }
  const decided = { author: { source: entry.source, credentialId: entry.credentialId } };
  if (!entry.proposed) {
    await changeMemory(tx, context, row, { change: 'archived', archivedAt: context.now, decided });
    return undefined;
  }
  const changed = await changeMemory(tx, context, row, {
    change: 'updated',
    fields: toMemoryFields(entry.proposed),
    decided,
    ...(analysis ? { analysis } : {}),
  });
  const stored = { outcome: 'updated' as const, memory: toMemory(changed) };
  await emitStored(tx, context, stored);
  return stored;
}
