import { and, eq, gte } from 'drizzle-orm';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { guardianEntries, isPending } from './schema.ts';

/**
 * Ends every pending change that one source asked for since a time: rejected where the human undoes it, withdrawn
 * otherwise.
 *
 * @returns How many.
 */
export async function cancelPending(
  tx: Tx,
  context: Context,
  asked: { readonly source: Source; readonly since: Date; readonly credentialId?: string },
): Promise<number> {
  const { actor, now, tenantId } = context;
  const status = actor.source === 'human' ? ('rejected' as const) : ('withdrawn' as const);
  const { source, since, credentialId } = asked;
  const cancelled = await tx
    .update(guardianEntries)
    .set({
      status,
      decidedAt: now,
      decidedSource: actor.source,
      decidedBy: actor.credentialId,
      reason: 'undone',
    })
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        isPending,
        eq(guardianEntries.source, source),
        gte(guardianEntries.requestedAt, since),
        credentialId === undefined ? undefined : eq(guardianEntries.credentialId, credentialId),
      ),
    )
    .returning({ id: guardianEntries.id, memoryId: guardianEntries.memoryId });
  for (const { id, memoryId } of cancelled) {
    await context.emit(tx, `guardian.${status}`, { entry_id: id, memory_id: memoryId });
  }
  return cancelled.length;
}
