import type { Context } from '../../../kernel/context/context.ts';
import type { OutputOf } from '../../../kernel/contract/route.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { toMemory } from '../../records/row.ts';
import { showMemories } from '../../visibility/show.ts';
import type { Writings } from '../change-policy.ts';
import type { memoryRoutes, UndoStep } from '../contract.ts';
import { differs } from './apply.ts';
import { findWritten, loadPlans, UNDONE_AT_ONCE, type UndoPlan } from './plan.ts';

/** Memories that a preview shows one by one; of all others it tells the number. */
const SHOWN = 100;

/**
 * Tells what an undo would change, and changes nothing. Of memories that would want back a key which another has by then,
 * it cannot know: they count as reverted here.
 */
export async function previewUndo(
  context: Context,
  writings: Writings,
): Promise<OutputOf<typeof memoryRoutes.undo>> {
  const changes = { archived: 0, restored: 0, reverted: 0, queued: 0, cancelled: 0, skipped: 0 };
  const preview: UndoStep[] = [];
  changes.cancelled = await context.read((tx) =>
    context.changePolicy.cancelPending(tx, context, writings, { dryRun: true }),
  );
  for (let last: string | undefined; ; ) {
    const after = last;
    context.options.signal?.throwIfAborted();
    const ids = await context.read((tx) => findWritten(tx, context, writings, after));
    const steps = await context.read(async (tx) => {
      const plans = (await loadPlans(tx, context, writings, ids)).filter(differs);
      const found: UndoStep[] = [];
      for (const plan of plans) found.push(...(await stepsOf(tx, context, writings, plan)));
      return showSteps(tx, context, found);
    });
    for (const { action } of steps) changes[action] += 1;
    preview.push(...steps.slice(0, SHOWN - preview.length));
    last = ids.at(-1);
    if (ids.length < UNDONE_AT_ONCE) return { changes, preview };
  }
}

/** What would be done to one memory: one step, or none where only an archived memory's fields would change. */
async function stepsOf(
  tx: Tx,
  context: Context,
  writings: Writings,
  { row, remains }: UndoPlan,
): Promise<UndoStep[]> {
  const fields = remains.archived ? null : remains.fields;
  const decision = await context.changePolicy.submitUndo(tx, context, row, fields, { dryRun: writings });
  const content = fields?.content ?? null;
  const memory = toMemory(row);
  if (decision !== 'apply')
    return [{ action: decision === 'queued' ? 'queued' : 'skipped', memory, content }];
  if (remains.archived) return row.archivedAt ? [] : [{ action: 'archived', memory, content }];
  return [{ action: row.archivedAt ? 'restored' : 'reverted', memory, content }];
}

async function showSteps(tx: Tx, context: Context, steps: readonly UndoStep[]): Promise<UndoStep[]> {
  const shown = await showMemories(
    tx,
    context,
    steps.map(({ memory }) => memory),
  );
  const byId = new Map(shown.map((memory) => [memory.id, memory]));
  return steps.flatMap((step) => {
    const memory = byId.get(step.memory.id);
    return memory ? [{ ...step, memory }] : [];
  });
}
