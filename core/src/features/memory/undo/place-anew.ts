import type { Context } from '../../../kernel/context/context.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { analyzeDocument } from '../../../text/analyze-document.ts';
import { contentSourceOf, isFoundLink, type Link, startOf } from '../../records/row.ts';
import type { MemoryRow } from '../../records/schema.ts';
import { FACT_TYPES } from '../../search-index/fact-type.ts';
import type { FactComparison } from '../../supersession/compare-fact.ts';
import { firstActive } from '../chain.ts';
import { changeMemory } from '../change.ts';
import { compareChanged } from '../compare-facts.ts';
import { findActive } from '../find.ts';
import { type Related, toDraft } from '../insert.ts';
import { idsOfSuperseded, lockForReplacing, planReplacement } from '../plan-replacement.ts';
import { emitSuperseded } from '../supersede.ts';
import type { UndoPlan } from './plan.ts';

/** Whether an undo gives a fact another place among others: by what it says, when it begins, what supersedes it, or its return. */
export function mayMove({ row, remains: { fields, archived } }: UndoPlan): boolean {
  if (archived || !FACT_TYPES.includes(fields.type)) return false;
  return (
    row.archivedAt !== null ||
    fields.content !== row.content ||
    fields.supersededBy !== row.supersededBy ||
    startOf(fields).getTime() !== startOf(row).getTime()
  );
}

/**
 * Finds the places of facts that an undo changed or brought back, as if they were told again now: the places that they had before
 * were among what was told by then. What somebody stated stays. It goes on where the caller has gone away, since the undo is done
 * by then; after a crash the next reflection finds them.
 */
export async function placeAnew(context: Context, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const row = await context.read((tx) => findActive(tx, context, id));
    const comparison = row && (await compare(context, row));
    if (!row || !comparison || idsOfSuperseded(comparison).length === 0) continue;
    await context.write((tx) => place(tx, context, row, comparison), { units: 0 });
  }
}

function compare(context: Context, row: MemoryRow, tx?: Tx): Promise<FactComparison<Related> | undefined> {
  const analysis = { terms: analyzeDocument(row.content) };
  return compareChanged(context, { draft: toDraft(row), analysis }, row.id, contentSourceOf(row), tx);
}

/** Links a fact and what it replaces, where it is still the one that was compared. */
async function place(
  tx: Tx,
  context: Context,
  { id, version }: MemoryRow,
  comparison: FactComparison<Related>,
): Promise<void> {
  await lockForReplacing(tx, context, [id], idsOfSuperseded(comparison));
  const row = await findActive(tx, context, id, { lock: true });
  if (row?.version !== version) return;
  const compareAnew = (inside: Tx) => compare(context, row, inside);
  const { link, replaced } = await planReplacement(tx, context, row, {
    compared: { before: row, comparison, compareAnew },
  });
  // An undo tells again what others have said, and so says nothing that a later one could take back.
  const undone = { change: 'undone', decided: { author: context.actor } } as const;
  if (link && (await comesBefore(tx, context, row, link))) {
    await changeMemory(tx, context, row, { ...undone, link });
    if (link.supersededBy !== null) await emitSuperseded(tx, context, id, link.supersededBy);
  }
  for (const { older, basis } of replaced) {
    await changeMemory(tx, context, older, { ...undone, link: { supersededBy: id, supersededBasis: basis } });
    await emitSuperseded(tx, context, older.id, id);
  }
}

/** Whether what would supersede a fact begins before what does so now. What somebody stated stays. */
async function comesBefore(tx: Tx, context: Context, row: MemoryRow, link: Link): Promise<boolean> {
  if (row.supersededBy === null) return true;
  if (!isFoundLink(row)) return false;
  const [next, current] = [link.supersededBy, await firstActive(tx, context, row.supersededBy)];
  if (next === null || current === null || next === current) return current === null;
  const [one, other] = [await findActive(tx, context, next), await findActive(tx, context, current)];
  return one !== undefined && other !== undefined && startOf(one) < startOf(other);
}
