import { and, count, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { heldAs } from '../memory/change-policy.ts';
import type { Stored } from '../records/contract.ts';
import { type EntryRow, guardianEntries, isEntry } from '../records/pending-change-schema.ts';
import { fieldsOf, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import type { GuardianSettings } from './contract.ts';
import { announceDecision, decidedNow, decides } from './decision.ts';
import { toEntry } from './entry.ts';
import { judgeChange } from './judge.ts';
import { isProtected } from './protection.ts';
import { recordEntries } from './record-entries.ts';
import { findRejected, type Rejected, rejectedBefore } from './rejected.ts';
import { loadGuardianSettings } from './settings.ts';

/** Protected memories the agent may store before the human has confirmed any; further ones wait. */
const MOST_UNCONFIRMED = 20;
/** Additions that may wait for the human; further ones are refused. */
const MOST_WAITING = 100;

/** What decides about additions: the settings, and the texts that the human rejected. Loaded once for many. */
interface AdditionRules {
  readonly settings: GuardianSettings;
  readonly rejected: Rejected;
}

export async function loadAdditionRules(tx: Tx, context: Context): Promise<AdditionRules> {
  return { settings: await loadGuardianSettings(tx, context), rejected: await findRejected(tx, context) };
}

/**
 * Decides which new memories are stored at once. Those that the human writes are; so are those that the agent itself stores in
 * protected categories, up to a number and marked as not confirmed. What comes there by any other way (import, sync, restore) waits
 * for the human, so that nothing becomes part of who the agent is unseen.
 *
 * An addition that waits already makes no second entry. A text that the human rejected is refused where the agent stores it again,
 * in any category of core memories; where it comes by another way, it is left out.
 *
 * @returns the answers about those that are held back, by the id of the row. They are stored when the human approves.
 * @throws SvcError `CONFLICT` when too many additions wait already; `FORBIDDEN` for what the human rejected.
 */
export async function submitAdditions(
  tx: Tx,
  context: Context,
  rows: readonly MemoryRow[],
  source: Source,
): Promise<ReadonlyMap<string, Stored>> {
  const held = new Map<string, Stored>();
  const core = rows.filter(({ type }) => type === 'core');
  if (core.length === 0 || decides(context, source)) return held;
  const { settings, rejected } = await loadAdditionRules(tx, context);
  for (const row of core) {
    const entry = rejected(row.content);
    if (entry && source === 'agent') throw rejectedBefore(entry);
    if (entry) held.set(row.id, toHeld(row, entry));
  }
  const added = core.filter((row) => isProtected(row, settings) && !held.has(row.id));
  if (added.length === 0) return held;
  await lockAdditions(tx, context);
  // In a space, only managers add protected memories without waiting.
  const admits = source === 'agent' && !context.space;
  const room = admits ? MOST_UNCONFIRMED - (await countUnconfirmed(tx, context)) : 0;
  for (const row of added.slice(Math.max(0, room))) {
    held.set(row.id, toHeld(row, await holdAddition(tx, context, row, source, { settings, rejected })));
  }
  return held;
}

/**
 * Makes an addition wait for the human, unless the same one waits or was rejected.
 *
 * @param row The memory as it would be, active.
 * @throws SvcError `CONFLICT` when too many wait already.
 */
export async function holdAddition(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  source: Source,
  { settings, rejected }: AdditionRules,
): Promise<EntryRow> {
  const refusal = rejected(row.content);
  if (refusal) return refusal;
  await lockAdditions(tx, context);
  const waiting = await findWaiting(tx, context, row);
  const same = waiting.find(
    ({ proposed }) => proposed?.content === row.content && proposed.category === row.category,
  );
  if (same) return same;
  const replaced = waiting.filter(({ proposed }) => row.key !== null && proposed?.key === row.key);
  if (replaced.length === 0 && (await countWaiting(tx, context)) >= MOST_WAITING) {
    throw new SvcError(
      'CONFLICT',
      `${MOST_WAITING} additions to protected categories wait for the human already. They decide those first.`,
    );
  }
  await withdrawReplaced(tx, context, replaced);
  const [entry] = await recordEntries(tx, context, settings, [
    {
      memoryId: row.id,
      before: null,
      after: fieldsOf(row),
      judged: judgeChange(null, fieldsOf(row), undefined),
      status: 'waiting',
      source,
    },
  ]);
  if (!entry) throw new SvcError('INTERNAL', 'The addition was not queued.');
  await context.emit(tx, 'guardian.queued', { entry_id: entry.id, memory_id: row.id });
  return entry;
}

/**
 * Lets additions come one after the other until the transaction ends: each counts those before it, and finds the same one among
 * them.
 */
function lockAdditions(tx: Tx, { tenantId }: Context): Promise<void> {
  return lockName(tx, tenantId, 'guardian-additions');
}

/** The answer to an addition that was held back: queued, or nothing where the human rejected the same before. */
export function toHeld(row: MemoryRow, entry: EntryRow): Stored {
  return { outcome: heldAs(entry), memory: toMemory(row), entry: toEntry(entry) };
}

/** Records protected memories that were stored. Those that the human did not write wait to be confirmed. */
export async function recordAdditions(
  tx: Tx,
  context: Context,
  rows: readonly MemoryRow[],
  source: Source,
): Promise<void> {
  const core = rows.filter(({ type }) => type === 'core');
  if (core.length === 0) return;
  const settings = await loadGuardianSettings(tx, context);
  const isDecided = decides(context, source);
  await recordEntries(
    tx,
    context,
    settings,
    core
      .filter((row) => isProtected(row, settings))
      .map((row) => ({
        memoryId: row.id,
        before: null,
        after: fieldsOf(row),
        judged: judgeChange(null, fieldsOf(row), undefined),
        status: isDecided ? 'approved' : 'added',
        source,
        isDecided,
      })),
  );
}

/** Additions of the same text, or under the same key, that wait; nobody decides them until the transaction ends. */
function findWaiting(tx: Tx, { tenantId }: Context, { key, content }: MemoryRow): Promise<EntryRow[]> {
  const { proposed } = guardianEntries;
  const isSame = sql`(${proposed}->>'content' = ${content} OR ${proposed}->>'key' = ${key})`;
  return tx
    .select()
    .from(guardianEntries)
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        isNull(guardianEntries.current),
        eq(guardianEntries.status, 'waiting'),
        isSame,
      ),
    )
    .for('update');
}

/** Withdraws additions that waited under the key of a new one, which takes their place: the human decides on the latest alone. */
async function withdrawReplaced(tx: Tx, context: Context, replaced: readonly EntryRow[]) {
  for (const { id, memoryId } of replaced) {
    await tx
      .update(guardianEntries)
      .set({
        status: 'withdrawn',
        ...decidedNow(context),
        reason: 'replaced by a newer one with the same key',
      })
      .where(isEntry(context.tenantId, id));
    await announceDecision(tx, context, 'withdrawn', { id, memoryId });
  }
}

/** Index guardian_undecided. */
function countWaiting(tx: Tx, { tenantId }: Context): Promise<number> {
  const { status, current } = guardianEntries;
  return tx.$count(
    guardianEntries,
    and(eq(guardianEntries.tenantId, tenantId), eq(status, 'waiting'), isNull(current)),
  );
}

/** Active memories that the human has not confirmed. Index guardian_undecided. */
async function countUnconfirmed(tx: Tx, { tenantId }: Context): Promise<number> {
  const [found] = await tx
    .select({ entries: count() })
    .from(guardianEntries)
    .innerJoin(
      memories,
      and(eq(memories.tenantId, guardianEntries.tenantId), eq(memories.id, guardianEntries.memoryId)),
    )
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        eq(guardianEntries.status, 'added'),
        isNull(memories.archivedAt),
      ),
    );
  return found?.entries ?? 0;
}
