import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';

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
