import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context, Operation } from '../engine/context.ts';
import { announceStored } from '../memory/store.ts';
import { analyzeProposed, applyChange, lockMemory } from './apply.ts';
import { forgetBaseline } from './baseline.ts';
import type { GuardianEntry } from './contract.ts';
import { toEntry } from './entry.ts';
import { findEntry } from './find.ts';
import { requireHuman } from './human.ts';
import { type EntryRow, guardianEntries, isPending } from './schema.ts';

/**
 * Lets a change happen. Design 5, POST /guardian/{id}/approve.
 * Throws `CONFLICT` when it is decided already, or its key has been taken meanwhile; then it stays pending.
 */
export const approveChange: Operation<'approveChange'> = async (context, { id, reason }) => {
  requireHuman(context);
  const asked = await context.read((tx) => findEntry(tx, context, id));
  const analysis = await analyzeProposed(context, asked);
  const { entry, stored } = await context.write(async (tx) => {
    const row = await lockMemory(tx, context, asked.memoryId);
    const closed = await close(tx, context, asked, 'approved', reason);
    const applied = await applyChange(tx, context, closed, row, analysis);
    await forgetBaseline(tx, context, asked.memoryId);
    return { entry: toEntry(closed), stored: applied ?? null };
  });
  if (stored) await announceStored(context, [stored]);
  return { entry };
};

/** Refuses a change. Design 5, POST /guardian/{id}/reject. Throws `CONFLICT` when it is decided already. */
export const rejectChange: Operation<'rejectChange'> = async (context, { id, reason }) => {
  requireHuman(context);
  return context.write(async (tx) => {
    const asked = await findEntry(tx, context, id);
    return { entry: toEntry(await close(tx, context, asked, 'rejected', reason)) };
  });
};

/**
 * Takes a change back. Design 5, POST /guardian/{id}/withdraw.
 * Throws `CONFLICT` when it is decided already; `FORBIDDEN` where the human asked for it, or asks now: it rejects.
 */
export const withdrawChange: Operation<'withdrawChange'> = async (context, { id, reason }) => {
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
  const { tenantId, actor, now } = context;
  const [closed] = await tx
    .update(guardianEntries)
    .set({
      status,
      decidedAt: now,
      decidedSource: actor.source,
      decidedBy: actor.credentialId,
      ...(reason === undefined ? {} : { reason }),
    })
    .where(and(eq(guardianEntries.tenantId, tenantId), eq(guardianEntries.id, id), isPending))
    .returning();
  if (!closed) {
    const decided = await findEntry(tx, context, id);
    throw new SvcError('CONFLICT', `This change is already ${decided.status}.`, {
      details: { entry: toEntry(decided) },
    });
  }
  await context.emit(tx, `guardian.${status}`, { entry_id: id, memory_id: memoryId });
  return closed;
}
