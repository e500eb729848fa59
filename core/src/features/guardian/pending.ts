import { and, eq, gte } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import type { ProposedChange, Writings } from '../memory/change-policy.ts';
import { type EntryRow, guardianEntries, isPending } from '../records/pending-change-schema.ts';
import { fieldsOf } from '../records/row.ts';
import type { MemoryRow } from '../records/schema.ts';
import { showEntry } from '../visibility/show.ts';
import { findBaseline } from './baseline.ts';
import type { GuardianSettings } from './contract.ts';
import { announceDecision, decidedNow, decides } from './decision.ts';
import { toEntry } from './entry.ts';
import { judgeChange } from './judge.ts';
import { recordEntries } from './record-entries.ts';

/** The change pending on a memory. Index guardian_pending: at most one. */
export async function findPending(
  tx: Tx,
  { tenantId }: Context,
  memoryId: string,
): Promise<EntryRow | undefined> {
  const [pending] = await tx
    .select()
    .from(guardianEntries)
    .where(and(eq(guardianEntries.tenantId, tenantId), eq(guardianEntries.memoryId, memoryId), isPending));
  return pending;
}

/** Refuses any operation on a memory whose change is not decided yet, with `GUARDIAN_PROTECTED`. */
export async function refuseWhilePending(tx: Tx, context: Context, row: MemoryRow): Promise<void> {
  const pending = await findPending(tx, context, row.id);
  if (!pending) return;
  const until =
    pending.status === 'cooling'
      ? `is cooling until ${pending.coolingUntil.toISOString()}`
      : `waits for ${context.space ? 'a manager of the space' : 'the human'}`;
  throw new SvcError('GUARDIAN_PROTECTED', `A change to the memory ${row.id} ${until}.`, {
    details: { entry: await showEntry(tx, context, toEntry(pending)) },
  });
}

/** Queues a change for the human or for the end of cooling, without asking whether it must be. */
export async function queueChange(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  proposed: ProposedChange,
  settings: GuardianSettings,
): Promise<EntryRow> {
  const baseline = await findBaseline(tx, context, row.id);
  const before = fieldsOf(row);
  const [entry] = await recordEntries(tx, context, settings, [
    {
      memoryId: row.id,
      before,
      after: proposed.fields,
      judged: judgeChange(before, proposed.fields, baseline?.content),
      status: 'cooling',
      source: proposed.source ?? context.actor.source,
      coolingUntil: new Date(context.now.getTime() + settings.cooling_hours * HOUR_MS),
    },
  ]);
  if (!entry) throw new SvcError('INTERNAL', 'The change was not queued.');
  await context.emit(tx, 'guardian.queued', { entry_id: entry.id, memory_id: row.id });
  return entry;
}

/** Whether a change was asked for by one source since a time. */
export function isAskedBy(
  { source, requestedAt, credentialId, agentId }: EntryRow,
  asked: Writings,
): boolean {
  const isOfCredential = asked.credentialId === undefined || credentialId === asked.credentialId;
  const isOfAgent = asked.agentId === undefined || agentId === asked.agentId;
  return source === asked.source && requestedAt >= asked.since && isOfCredential && isOfAgent;
}

/**
 * Ends every pending change that one source asked for since a time: rejected where the human undoes it, withdrawn
 * otherwise. A dry run ends none.
 *
 * @returns How many.
 */
export async function cancelPending(
  tx: Tx,
  context: Context,
  asked: Writings,
  { dryRun = false }: { readonly dryRun?: boolean } = {},
): Promise<number> {
  const { tenantId } = context;
  const status = decides(context) ? ('rejected' as const) : ('withdrawn' as const);
  const { source, since, credentialId, agentId } = asked;
  const isAsked = and(
    eq(guardianEntries.tenantId, tenantId),
    isPending,
    eq(guardianEntries.source, source),
    gte(guardianEntries.requestedAt, since),
    credentialId === undefined ? undefined : eq(guardianEntries.credentialId, credentialId),
    agentId === undefined ? undefined : eq(guardianEntries.agentId, agentId),
  );
  if (dryRun) return tx.$count(guardianEntries, isAsked);
  const cancelled = await tx
    .update(guardianEntries)
    .set({
      status,
      ...decidedNow(context),
      reason: 'undone',
    })
    .where(isAsked)
    .returning({ id: guardianEntries.id, memoryId: guardianEntries.memoryId });
  for (const entry of cancelled) await announceDecision(tx, context, status, entry);
  return cancelled.length;
}
