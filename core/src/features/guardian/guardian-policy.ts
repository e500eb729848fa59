import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { ChangePolicy, ProposedChange, Writings } from '../memory/change-policy.ts';
import type { GuardianEntry } from '../records/contract.ts';
import { guardianEntries, isAdded } from '../records/pending-change-schema.ts';
import { fieldsOf, type MemoryFields } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { mayRead } from '../visibility/withheld.ts';
import { holdAddition, loadAdditionRules, recordAdditions, submitAdditions } from './additions.ts';
import { forgetBaselines } from './baseline.ts';
import { decidedNow, decides } from './decision.ts';
import { toEntry } from './entry.ts';
import { judgeChange } from './judge.ts';
import { recordOwnChange } from './own-change.ts';
import { cancelPending, findPending, isAskedBy, queueChange, refuseWhilePending } from './pending.ts';
import { isGuarded, isProtected, isUndeletable, settingsFor } from './protection.ts';
import { recordEntries } from './record-entries.ts';
import { findRejected, rejectedBefore } from './rejected.ts';

/** Queues changes to protected memories, which the human or the end of cooling decides, and lets all others happen at once. */
export const guardianPolicy: ChangePolicy = {
  submit,
  refuseWhilePending,
  assertApproved,
  submitAdditions,
  recordAdditions,
  submitUndo,
  recordUndone,
  cancelPending,
};

/**
 * The gate that every change to a stored memory passes, by whatever way it came. Changes to a protected memory, and those by which
 * one would become protected, are queued. What the human asks for is decided by that: it may be made, and is recorded.
 *
 * @returns the entry under which the change waits; undefined where it may be made now.
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to the memory is already pending; `FORBIDDEN` for removing what is never
 *   deleted, and for restoring what the human archived.
 */
async function submit(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  proposed: ProposedChange,
): Promise<GuardianEntry | undefined> {
  if (row.archivedAt) return submitRestoration(tx, context, row);
  const { fields, source = context.actor.source } = proposed;
  await refuseWhilePending(tx, context, row);
  if (!fields && isUndeletable(row)) throw await undeletable(tx, context, row);
  const settings = await settingsFor(tx, context, row, fields);
  if (!settings) return undefined;
  if (isGuarded(context, row, fields, settings, source)) {
    if (decides(context, source)) {
      await recordOwnChange(tx, context, row, fields, settings);
      return undefined;
    }
    return toEntry(await queueChange(tx, context, row, proposed, settings));
  }
  if (fields && isProtected(fields, settings)) {
    const before = fieldsOf(row);
    const judged = judgeChange(null, fields, undefined);
    const entry = { memoryId: row.id, before, after: fields, judged, source };
    await recordEntries(tx, context, settings, [{ ...entry, status: 'approved', isDecided: true }]);
    return undefined;
  }
  return submitCore(tx, context, row, { fields, source });
}

/**
 * Keeps a text that the human rejected out of all categories of core memories, since the agent reads all of them at its start.
 * Where the agent itself stores it again that is refused; where it comes by another way, such as an import, it is left out.
 *
 * @returns the entry by which the text was rejected, if it was.
 */
async function submitCore(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  { fields, source }: Pick<ProposedChange, 'fields'> & { readonly source: Source },
): Promise<GuardianEntry | undefined> {
  if (fields?.type !== 'core' || decides(context, source)) return undefined;
  if (row.type === 'core' && row.content === fields.content) return undefined;
  const entry = (await findRejected(tx, context))(fields.content);
  if (entry && source === 'agent') throw rejectedBefore(entry);
  return entry && toEntry(entry);
}

/**
 * Submits the restoring of an archived memory. A protected one waits for the human, unless the human asks. One that the human has
 * archived is refused: they have decided that the agent is no longer so.
 */
async function submitRestoration(
  tx: Tx,
  context: Context,
  row: MemoryRow,
): Promise<GuardianEntry | undefined> {
  if (row.type !== 'core' || decides(context)) {
    await refuseWhilePending(tx, context, row);
    return undefined;
  }
  const rules = await loadAdditionRules(tx, context);
  const asks = isProtected(row, rules.settings);
  if (asks && row.source === 'human') {
    throw new SvcError('FORBIDDEN', 'The human archived this protected memory; only they bring it back.');
  }
  await refuseWhilePending(tx, context, row);
  const rejection = rules.rejected(row.content);
  if (rejection) throw rejectedBefore(rejection);
  return asks ? toEntry(await holdAddition(tx, context, row, context.actor.source, rules)) : undefined;
}

async function undeletable(tx: Tx, context: Context, { id, category }: MemoryRow): Promise<SvcError> {
  if (!(await mayRead(tx, context, id))) return new SvcError('FORBIDDEN', 'This memory cannot be deleted.');
  return new SvcError('FORBIDDEN', `Memories of category ${category} cannot be deleted.`, {
    details: { category },
  });
}

/**
 * The wall behind the gate: refuses a change to a protected memory that nobody has decided on, in case some path has not called
 * `submit`.
 */
async function assertApproved(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
): Promise<void> {
  const settings = await settingsFor(tx, context, row, fields);
  if (decides(context) || !settings || !isGuarded(context, row, fields, settings)) return;
  throw new SvcError('FORBIDDEN', `The memory ${row.id} is protected; only the Guardian changes it.`);
}

/** Submits what an undo would change. The human's undo applies at once; that of others is queued where the memory is protected. */
async function submitUndo(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
  { dryRun }: { readonly dryRun?: Writings } = {},
): Promise<'apply' | 'queued' | 'pending'> {
  const pending = await findPending(tx, context, row.id);
  if (pending && !(dryRun && isAskedBy(pending, dryRun))) return 'pending';
  if (decides(context) || (row.archivedAt && !fields)) return 'apply';
  if (row.archivedAt && fields) return submitReturn(tx, context, { ...row, ...fields }, dryRun);
  const settings = await settingsFor(tx, context, row, fields);
  if (!settings) return 'apply';
  const removes = fields === null && isUndeletable(row);
  if (!removes && !isGuarded(context, row, fields, settings)) return 'apply';
  if (!dryRun) await queueChange(tx, context, row, { fields }, settings);
  return 'queued';
}

/**
 * Submits the return of an archived memory by an undo. As for a restore, a protected one waits; what was rejected stays archived.
 */
async function submitReturn(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  dryRun: Writings | undefined,
): Promise<'apply' | 'queued' | 'pending'> {
  if (row.type !== 'core') return 'apply';
  const rules = await loadAdditionRules(tx, context);
  if (rules.rejected(row.content)) return 'pending';
  if (!isProtected(row, rules.settings)) return 'apply';
  if (dryRun) return 'queued';
  await holdAddition(tx, context, row, context.actor.source, rules);
  return 'queued';
}

/**
 * After an undo, makes the present text of changed memories their baseline, and ends the confirmation that archived ones waited
 * for.
 */
async function recordUndone(tx: Tx, context: Context, rows: readonly MemoryRow[]): Promise<void> {
  await forgetBaselines(
    tx,
    context,
    rows.map(({ id }) => id),
  );
  const archived = rows.filter(({ archivedAt }) => archivedAt !== null).map(({ id }) => id);
  if (archived.length === 0) return;
  await tx
    .update(guardianEntries)
    .set({
      status: decides(context) ? 'rejected' : 'withdrawn',
      ...decidedNow(context),
      reason: 'undone',
    })
    .where(
      and(
        eq(guardianEntries.tenantId, context.tenantId),
        isAdded,
        inArray(guardianEntries.memoryId, archived),
      ),
    );
}
