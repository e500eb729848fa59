import type { Context } from '../../kernel/context/context.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';

/**
 * Whether what somebody wants is decided by that: what the human wants of an agent's protected memories, and what the human of the
 * account or a manager wants of those of a space.
 *
 * @param source Who wants it; default: the caller. What comes by another way, such as an import, nobody has decided.
 */
export function decides(
  { actor, space }: Pick<Context, 'actor' | 'space'>,
  source: Source = actor.source,
): boolean {
  if (source === 'human') return true;
  return space?.right === 'manage' && source === actor.source;
}

/** The columns by which an entry says that the caller decides it now. */
export function decidedNow({ actor, now }: Pick<Context, 'actor' | 'now'>) {
  return { decidedAt: now, decidedSource: actor.source, decidedBy: actor.credentialId };
}

/** Emits the event of a decision, and writes it into the audit log. */
export async function announceDecision(
  tx: Tx,
  context: Context,
  decision: 'approved' | 'rejected' | 'withdrawn' | 'applied',
  { id, memoryId }: { readonly id: string; readonly memoryId: string },
): Promise<void> {
  await context.emit(tx, `guardian.${decision}`, { entry_id: id, memory_id: memoryId });
  await context.audit(tx, `guardian.${decision}`, { entry_id: id });
}
