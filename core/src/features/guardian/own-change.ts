import { and, eq } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { guardianEntries, isAdded } from '../records/pending-change-schema.ts';
import { fieldsOf, type MemoryFields } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { findBaseline, forgetBaselines } from './baseline.ts';
import type { GuardianSettings } from './contract.ts';
import { announceDecision, decidedNow } from './decision.ts';
import { judgeChange } from './judge.ts';
import { recordEntries } from './record-entries.ts';

/**
 * Records a change that the human is about to make to a protected memory: approved by them, with what the memory said
 * before. Later changes are measured against what it says then.
 *
 * @param fields The memory as it will be; null: archived.
 */
export async function recordOwnChange(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
  settings: GuardianSettings,
): Promise<void> {
  const before = fieldsOf(row);
  const baseline = await findBaseline(tx, context, row.id);
  const [entry] = await recordEntries(tx, context, settings, [
    {
      memoryId: row.id,
      before,
      after: fields,
      judged: judgeChange(before, fields, baseline?.content),
      status: 'approved',
      source: context.actor.source,
      isDecided: true,
    },
  ]);
  await forgetBaselines(tx, context, [row.id]);
  await confirmAdded(tx, context, row.id);
  if (!entry) throw new SvcError('INTERNAL', 'The decision was not recorded.');
  await announceDecision(tx, context, 'approved', { id: entry.id, memoryId: row.id });
}

/** Whoever decides on a change to a memory has read it: it needs no confirmation of its own. */
export async function confirmAdded(tx: Tx, context: Context, memoryId: string): Promise<void> {
  await tx
    .update(guardianEntries)
    .set({ status: 'approved', ...decidedNow(context) })
    .where(
      and(eq(guardianEntries.tenantId, context.tenantId), eq(guardianEntries.memoryId, memoryId), isAdded),
    );
}
