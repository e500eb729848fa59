import { and } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { changeMemory } from '../memory/change.ts';
import { notifyStored } from '../memory/store.ts';
import type { GuardianEntry } from '../records/contract.ts';
import {
  type EntryRow,
  guardianEntries,
  isEntry,
  isPending,
  isUndecided,
} from '../records/pending-change-schema.ts';
import type { MemoryRow } from '../records/schema.ts';
import { type IndexEntry, toIndexEntries } from '../search-index/index-memories.ts';
import { showEntry } from '../visibility/show.ts';
import { analyzeProposed, applyChange, lockMemory } from './apply.ts';
import { forgetBaselines } from './baseline.ts';
import type { guardianRoutes } from './contract.ts';
import { announceDecision, decidedNow } from './decision.ts';
import { toEntry, toMemoryFields } from './entry.ts';
import { confirmAdded } from './own-change.ts';
import { findPending } from './pending.ts';
import { findEntry } from './queue.ts';

/**
 * Lets a change happen, or confirms a memory that was added.
 * Throws `CONFLICT` when it is decided already, or its key has been taken meanwhile; then it stays pending.
 */
export const approveChange: Operation<typeof guardianRoutes.approveChange> = async (
  context,
  { id, reason },
) => {
  const asked = await context.read((tx) => findEntry(tx, context, id));
  const analysis = asked.status === 'added' ? undefined : await analyzeProposed(context, asked);
  const { entry, stored } = await context.write(async (tx) => {
    const row = await lockMemory(tx, context, asked.memoryId);
    const closed = await close(tx, context, asked, 'approved', reason);
    if (asked.status === 'added') return { entry: toEntry(closed), stored: null };
    const applied = await applyChange(tx, context, closed, row, analysis);
    await forgetBaselines(tx, context, [asked.memoryId]);
    await confirmAdded(tx, context, asked.memoryId);
    return { entry: toEntry(closed), stored: applied ?? null };
  });
  if (stored) await notifyStored(context, [stored]);
  return { entry: await context.read((tx) => showEntry(tx, context, entry)) };
};

/**
 * Refuses a change, or removes a memory that was added.
 * Throws `CONFLICT` when it is decided already.
 */
export const rejectChange: Operation<typeof guardianRoutes.rejectChange> = async (
  context,
  { id, reason },
) => {
  const asked = await context.read((tx) => findEntry(tx, context, id));
  const before = asked.status === 'added' ? asked.current : null;
  const [analysis] = before ? await toIndexEntries(context, [before.content]) : [];
  const { entry } = await context.write(async (tx) => {
    const row = await lockMemory(tx, context, asked.memoryId);
    const closed = await close(tx, context, asked, 'rejected', reason);
    if (asked.status === 'added' && row && !row.archivedAt)
      await takeBack(tx, context, closed, row, analysis);
    return { entry: toEntry(closed) };
  });
  return { entry: await context.read((tx) => showEntry(tx, context, entry)) };
};

/** Removes an added memory; one that had been something else before becomes that again. */
async function takeBack(
  tx: Tx,
  context: Context,
  { current }: EntryRow,
  row: MemoryRow,
  analysis: IndexEntry | undefined,
): Promise<void> {
  const decided = { author: context.actor };
  await endPending(tx, context, row.id);
  await changeMemory(
    tx,
    context,
    row,
    current
      ? { change: 'updated', fields: toMemoryFields(current), decided, ...(analysis ? { analysis } : {}) }
      : { change: 'archived', archivedAt: context.now, decided },
  );
}

/** What the agent asked of a memory that is removed never happens. */
async function endPending(tx: Tx, context: Context, memoryId: string): Promise<void> {
  const pending = await findPending(tx, context, memoryId);
  if (pending) await close(tx, context, pending, 'rejected', 'the memory was removed');
}

/**
 * Takes a change back.
 * Throws `CONFLICT` when it is decided already; `FORBIDDEN` where the human asked for it, or asks now: it rejects.
 */
export const withdrawChange: Operation<typeof guardianRoutes.withdrawChange> = async (
  context,
  { id, reason },
) => {
  if (context.actor.source === 'human') {
    throw new SvcError(
      'FORBIDDEN',
      'Only the agent withdraws its changes. The human approves or rejects them.',
    );
  }
  return context.write(async (tx) => {
    const asked = await findEntry(tx, context, id);
    if (asked.source === 'human') {
      throw new SvcError('FORBIDDEN', 'The human asked for this change; the agent cannot withdraw it.');
    }
    return { entry: toEntry(await close(tx, context, asked, 'withdrawn', reason)) };
  });
};

/**
 * Ends a pending entry, once: of all who try, the first to get here wins.
 *
 * @throws SvcError `CONFLICT` for everyone after the first, with the entry as it was decided.
 */
async function close(
  tx: Tx,
  context: Context,
  { id, memoryId }: Pick<EntryRow, 'id' | 'memoryId'>,
  status: Extract<GuardianEntry['status'], 'approved' | 'rejected' | 'withdrawn'>,
  reason?: string,
): Promise<EntryRow> {
  const { tenantId } = context;
  const [closed] = await tx
    .update(guardianEntries)
    .set({
      status,
      ...decidedNow(context),
      ...(reason === undefined ? {} : { reason }),
    })
    .where(and(isEntry(tenantId, id), status === 'withdrawn' ? isPending : isUndecided))
    .returning();
  if (!closed) {
    const decided = await findEntry(tx, context, id);
    throw new SvcError('CONFLICT', `This change is already ${decided.status}.`, {
      details: { entry: await showEntry(tx, context, toEntry(decided)) },
    });
  }
  await announceDecision(tx, context, status, { id, memoryId });
  return closed;
}
