import type { CallUser } from '../kernel/context/call.ts';
import type { Output } from './contract.ts';

/** Steps that the preview of an undo shows. */
const SHOWN = 100;

type Undone = Output<'undo'>;

/** Where one part of an undo is done: what is the agent's own, or what is one user's. */
type UserPart = CallUser | undefined;

/**
 * Undoes what one source wrote for the agent itself and for all its users, one after the other. Users for whom it wrote nothing
 * are left alone. Cut off and repeated, it goes on where it ended.
 */
export async function undoForAll(
  parts: readonly UserPart[],
  undo: (part: UserPart, dryRun: boolean) => Promise<Undone>,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Undone> {
  const changes = { archived: 0, restored: 0, reverted: 0, queued: 0, cancelled: 0, skipped: 0 };
  const preview: NonNullable<Undone['preview']> = [];
  const add = (some: Undone['changes']) => {
    for (const name of Object.keys(changes) as (keyof typeof changes)[]) changes[name] += some[name];
  };
  for (const part of parts) {
    const told = await undo(part, true);
    if (Object.values(told.changes).every((count) => count === 0)) continue;
    if (!dryRun) {
      add((await undo(part, false)).changes);
      continue;
    }
    add(told.changes);
    const origin = part && { user_id: part.id };
    const steps = (told.preview ?? []).map((step) => ({ ...step, memory: { ...step.memory, ...origin } }));
    preview.push(...steps.slice(0, SHOWN - preview.length));
  }
  return { changes, ...(dryRun && { preview }) };
}
