import { and, asc, eq, lte, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Tx } from '../database/database.ts';
import type { Context, Dependencies } from '../engine/context.ts';
import { serviceContext } from '../engine/service-context.ts';
import { announceStored } from '../memory/store.ts';
import { analyzeContents } from '../recall/index-memories.ts';
import { openDriftCheck } from '../stability/drift-check.ts';
import { applyChange, lockMemory } from './apply.ts';
import { findBaseline, keepBaseline } from './baseline.ts';
import { driftBetween } from './drift.ts';
import { type EntryRow, guardianEntries } from './schema.ts';

const BATCH = 100;

/**
 * Settles the changes whose cooling has ended: small ones are applied, others wait for the human. Safe to run in many
 * processes at once.
 *
 * @returns How many changes were settled. One whose drift cannot be measured now stays for the next run.
 */
export async function expireCooling(deps: Dependencies): Promise<number> {
  let settled = 0;
  let last: EntryRow | undefined;
  for (;;) {
    const due = await deps.database.system((tx) => findDue(tx, deps.clock(), last));
    for (const entry of due) {
      const context = serviceContext(deps, entry.tenantId);
      try {
        if (await settle(context, entry)) settled += 1;
      } catch (error) {
        deps.logger.error({ err: error, entry: entry.id }, 'a cooled change could not be settled');
      }
    }
    last = due.at(-1);
    if (due.length < BATCH) return settled;
  }
}

/** Index guardian_due. */
function findDue(tx: Tx, now: Date, last: EntryRow | undefined): Promise<EntryRow[]> {
  const { status, coolingUntil, id } = guardianEntries;
  return tx
    .select()
    .from(guardianEntries)
    .where(
      and(
        eq(status, 'cooling'),
        lte(coolingUntil, now),
        last && sql`(${coolingUntil}, ${id}) > (${last.coolingUntil.toISOString()}, ${last.id}::uuid)`,
      ),
    )
    .orderBy(asc(coolingUntil), asc(id))
    .limit(BATCH);
}

async function settle(context: Context, entry: EntryRow): Promise<boolean> {
  const measured = await measure(context, entry);
  if (!measured) return false;
  if (!isSmall(entry, measured.drift)) return leaveToHuman(context, entry, measured.drift);
  try {
    return await apply(context, entry, measured);
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'CONFLICT') throw error;
    return leaveToHuman(context, entry, measured.drift, error.message);
  }
}

/**
 * The drift of a change against the memory's baseline, and the analysis needed to apply it; nothing while the embedder
 * is away, since time must not decide by guesswork.
 */
async function measure(context: Context, { memoryId, current, proposed, drift }: EntryRow) {
  if (!proposed || !current || proposed.content === current.content) return { drift };
  const baseline = await context.read((tx) => findBaseline(tx, context, memoryId));
  const [analysis, base] = await analyzeContents(context, [
    proposed.content,
    baseline?.content ?? current.content,
  ]);
  if (!analysis?.vector || !base?.vector) return undefined;
  return { drift: driftBetween(base.vector, analysis.vector), analysis };
}

/** Leaving protection, and being archived, are never small, whatever the limit. */
function isSmall({ current, proposed, drift, driftLimit }: EntryRow, baselineDrift: number): boolean {
  const stays = proposed && proposed.type === current?.type && proposed.category === current.category;
  return Boolean(stays) && Math.max(drift, baselineDrift) <= driftLimit;
}

async function apply(
  context: Context,
  entry: EntryRow,
  { drift, analysis }: NonNullable<Awaited<ReturnType<typeof measure>>>,
): Promise<boolean> {
  const stored = await context.write(async (tx) => {
    const row = await lockMemory(tx, context, entry.memoryId);
    const settled = await settleAs(tx, context, entry, {
      status: 'applied',
      decidedAt: context.now,
      baselineDrift: drift,
    });
    if (!settled) return undefined;
    if (row && analysis) await keepBaseline(tx, context, row);
    const changed = await applyChange(tx, context, settled, row, analysis);
    await context.emit(tx, 'guardian.applied', { entry_id: entry.id, memory_id: entry.memoryId });
    if (analysis) await openDriftCheck(tx, context, { cause: 'similarity', similarity: 1 - drift });
    return changed;
  });
  if (stored) await announceStored(context, [stored]);
  return stored !== undefined;
}

async function leaveToHuman(
  context: Context,
  entry: EntryRow,
  baselineDrift: number,
  reason?: string,
): Promise<boolean> {
  return context.write(async (tx) => {
    const settled = await settleAs(tx, context, entry, {
      status: 'waiting',
      baselineDrift,
      ...(reason === undefined ? {} : { reason }),
    });
    if (!settled) return false;
    await context.emit(tx, 'guardian.waiting', { entry_id: entry.id, memory_id: entry.memoryId });
    return true;
  });
}

/** Ends the cooling, unless somebody has decided meanwhile. */
async function settleAs(
  tx: Tx,
  { tenantId }: Context,
  { id }: EntryRow,
  change: Pick<Partial<EntryRow>, 'status' | 'decidedAt' | 'baselineDrift' | 'reason'>,
): Promise<EntryRow | undefined> {
  const [settled] = await tx
    .update(guardianEntries)
    .set(change)
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        eq(guardianEntries.id, id),
        eq(guardianEntries.status, 'cooling'),
      ),
    )
    .returning();
  return settled;
}
