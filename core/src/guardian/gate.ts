import { and, eq } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { fieldsOf, type MemoryFields, sameFields } from '../memory/row.ts';
import type { MemoryRow } from '../memory/schema.ts';
import type { Analysis } from '../recall/index-memories.ts';
import { ALWAYS_PROTECTED, type GuardianEntry, type GuardianSettings } from './contract.ts';
import { measureDrift } from './drift.ts';
import { toEntry, toGuardedFields } from './entry.ts';
import { type EntryRow, guardianEntries, isPending } from './schema.ts';
import { loadGuardianSettings } from './settings.ts';

const HOUR_MS = 3_600_000;

/** A change somebody wants to make to a stored memory. */
export interface AskedChange {
  /** The memory as it would become; null: archived. */
  readonly fields: MemoryFields | null;
  /** Analysis of the new content, where it changes. */
  readonly analysis?: Analysis;
  /** Who asks; default: the caller. */
  readonly source?: Source;
}

/**
 * The one gate every change to a stored memory passes, by whatever way it came. A memory that is not protected may
 * change: undefined. For a protected one the change is queued instead, and the entry answered.
 *
 * @param row The memory, locked by the caller's transaction.
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to it is already pending.
 */
export async function guard(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  asked: AskedChange,
): Promise<GuardianEntry | undefined> {
  await refuseWhilePending(tx, context, row);
  const settings = await settingsFor(tx, context, row, asked.fields);
  if (!settings) return undefined;
  if (!isGuarded(row, asked.fields, settings)) {
    if (asked.fields && isProtected(asked.fields, settings)) {
      const { source = context.actor.source } = asked;
      await record(tx, context, settings, [addition(context, row.id, fieldsOf(row), asked.fields, source)]);
    }
    return undefined;
  }
  const entry = await queueChange(tx, context, row, asked, settings);
  return toEntry(entry);
}

/**
 * Queues a change for the human or for the end of cooling, without asking whether it must be.
 *
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to it is already pending.
 */
export async function queueChange(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  asked: AskedChange,
  settings?: GuardianSettings,
): Promise<EntryRow> {
  const rules = settings ?? (await loadGuardianSettings(tx, context));
  const [entry] = await record(tx, context, rules, [
    {
      memoryId: row.id,
      current: toGuardedFields(fieldsOf(row)),
      proposed: asked.fields && toGuardedFields(asked.fields),
      drift: await measureDrift(tx, context, row, asked),
      status: 'cooling',
      source: asked.source ?? context.actor.source,
      coolingUntil: new Date(context.now.getTime() + rules.cooling_hours * HOUR_MS),
    },
  ]);
  if (!entry) throw new SvcError('INTERNAL', 'The change was not queued.');
  await context.emit(tx, 'guardian.queued', { entry_id: entry.id, memory_id: row.id });
  return entry;
}

/**
 * Writes new protected memories into the audit trail. Adding one is no change to who the agent is said to be, so that
 * nobody has to decide; but a second, contradicting identity must not come unseen.
 */
export async function recordAdditions(
  tx: Tx,
  context: Context,
  rows: readonly MemoryRow[],
  source: Source,
): Promise<void> {
  const core = rows.filter(({ type }) => type === 'core');
  if (core.length === 0) return;
  const settings = await loadGuardianSettings(tx, context);
  const added = core.filter((row) => isProtected(row, settings));
  await record(
    tx,
    context,
    settings,
    added.map((row) => addition(context, row.id, null, fieldsOf(row), source)),
  );
}

/**
 * Whether a call says of a protected memory what it says already, as a set-up script does on every start: there is
 * nothing to decide.
 *
 * @throws SvcError `GUARDIAN_PROTECTED` when a change to it is pending.
 */
export async function repeatsProtected(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields,
): Promise<boolean> {
  if (!sameFields(fieldsOf(row), fields)) return false;
  const settings = await settingsFor(tx, context, row, fields);
  if (!settings || !isProtected(row, settings)) return false;
  await refuseWhilePending(tx, context, row);
  return true;
}

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

/** Refuses any operation on a memory whose change is not decided yet. Spec: States, Guardian cooling period. */
export async function refuseWhilePending(tx: Tx, context: Context, row: MemoryRow): Promise<void> {
  const pending = await findPending(tx, context, row.id);
  if (!pending) return;
  const until =
    pending.status === 'cooling'
      ? `is cooling until ${pending.coolingUntil.toISOString()}`
      : 'waits for the human';
  throw new SvcError('GUARDIAN_PROTECTED', `A change to the memory ${row.id} ${until}.`, {
    details: { entry: toEntry(pending) },
  });
}

/**
 * The wall behind the gate: what reaches a protected memory without a decision of the Guardian is refused, whichever
 * path forgot to ask.
 *
 * @param fields The memory as it would become; null: archived.
 * @throws SvcError `FORBIDDEN`.
 */
export async function refuseUnguarded(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
): Promise<void> {
  const settings = await settingsFor(tx, context, row, fields);
  if (!settings || !isGuarded(row, fields, settings)) return;
  throw new SvcError('FORBIDDEN', `The memory ${row.id} is protected; only the Guardian changes it.`);
}

/**
 * Refuses to bring a protected memory back that the human has archived: who the agent no longer is, the human said.
 *
 * @throws SvcError `FORBIDDEN`.
 */
export async function refuseRevival(tx: Tx, context: Context, row: MemoryRow): Promise<void> {
  if (row.source !== 'human' || context.actor.source === 'human') return;
  const settings = await settingsFor(tx, context, row, null);
  if (!settings || !isProtected(row, settings)) return;
  throw new SvcError('FORBIDDEN', 'The human archived this protected memory; only they bring it back.');
}

/** Whether a change, if it is not the human's, has to be decided; here also the removal of what is never deleted. */
export async function needsDecision(
  tx: Tx,
  context: Context,
  row: MemoryRow,
  fields: MemoryFields | null,
): Promise<boolean> {
  const settings = await settingsFor(tx, context, row, fields);
  if (!settings) return false;
  return isGuarded(row, fields, settings) || (fields === null && isUndeletable(row));
}

/** Whether a memory is core and of a protected category. */
function isProtected(
  { type, category }: Pick<MemoryFields, 'type' | 'category'>,
  { categories }: GuardianSettings,
): boolean {
  return type === 'core' && category !== null && categories.includes(category);
}

/** Whether memories of this category are never deleted, whatever their type. Spec: What the service does, 6. */
export function isUndeletable({ category }: Pick<MemoryFields, 'category'>): boolean {
  return ALWAYS_PROTECTED.some((always) => always === category);
}

/** Whether a change to a memory has to be decided: it is protected, or would lose the category that keeps it. */
function isGuarded(row: MemoryRow, fields: MemoryFields | null, settings: GuardianSettings): boolean {
  const unlocks = isUndeletable(row) && fields !== null && fields.category !== row.category;
  return isProtected(row, settings) || unlocks;
}

/** The settings, where they can matter to a change; of most memories they do not, which saves the query. */
async function settingsFor(tx: Tx, context: Context, row: MemoryRow, fields: MemoryFields | null) {
  const matters = row.type === 'core' || fields?.type === 'core' || isUndeletable(row);
  return matters ? loadGuardianSettings(tx, context) : undefined;
}

function addition(
  { now }: Context,
  memoryId: string,
  before: MemoryFields | null,
  fields: MemoryFields,
  source: Source,
): Line {
  return {
    memoryId,
    current: before && toGuardedFields(before),
    proposed: toGuardedFields(fields),
    drift: 0,
    status: 'added',
    source,
    coolingUntil: now,
  };
}

type Line = Pick<
  EntryRow,
  'memoryId' | 'current' | 'proposed' | 'drift' | 'status' | 'source' | 'coolingUntil'
>;

async function record(tx: Tx, context: Context, settings: GuardianSettings, lines: readonly Line[]) {
  if (lines.length === 0) return [];
  const common = {
    tenantId: context.tenantId,
    driftLimit: settings.drift_limit,
    credentialId: context.actor.credentialId,
    requestedAt: context.now,
  };
  return tx
    .insert(guardianEntries)
    .values(lines.map((line) => ({ ...common, ...line, id: context.ids() })))
    .returning();
}
