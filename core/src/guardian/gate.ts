import { and, eq, inArray } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import type { Source } from '../contract/fields.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { fieldsOf, type MemoryFields } from '../memory/row.ts';
import type { MemoryRow } from '../memory/schema.ts';
import type { Analysis } from '../recall/index-memories.ts';
import type { GuardianEntry } from './contract.ts';
import { measureDrift } from './drift.ts';
import { toEntry, toGuardedFields } from './entry.ts';
import { guardianEntries } from './schema.ts';

/** Categories whose core memories change only through the Guardian. Design 5, Guardian. */
export const PROTECTED_CATEGORIES: readonly (string | null)[] = ['soul', 'identity'];

export interface AskedChange {
  /** The memory as it would become. */
  readonly fields: MemoryFields;
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
  if (!isProtected(row)) return undefined;
  const [entry] = await tx
    .insert(guardianEntries)
    .values({
      tenantId: context.tenantId,
      id: context.ids(),
      memoryId: row.id,
      current: toGuardedFields(fieldsOf(row)),
      proposed: toGuardedFields(asked.fields),
      drift: await measureDrift(tx, context, row, asked),
      status: 'cooling',
      source: asked.source ?? context.actor.source,
      credentialId: context.actor.credentialId,
      requestedAt: context.now,
      coolingUntil: new Date(context.now.getTime() + context.settings.guardianCoolingMs),
    })
    .returning();
  return entry && toEntry(entry);
}

/** Refuses any operation on a memory whose change is not decided yet. Spec: States, Guardian cooling period. */
export async function refuseWhilePending(tx: Tx, { tenantId }: Context, row: MemoryRow): Promise<void> {
  // Index guardian_pending: at most one row.
  const [pending] = await tx
    .select()
    .from(guardianEntries)
    .where(
      and(
        eq(guardianEntries.tenantId, tenantId),
        eq(guardianEntries.memoryId, row.id),
        inArray(guardianEntries.status, ['cooling', 'waiting']),
      ),
    );
  if (!pending) return;
  throw new SvcError(
    'GUARDIAN_PROTECTED',
    `A change to the memory ${row.id} is pending until ${pending.coolingUntil.toISOString()}.`,
    { details: { entry: toEntry(pending) } },
  );
}

/** Whether changes to this memory wait with the Guardian. */
export function isProtected({ type, category }: Pick<MemoryRow, 'type' | 'category'>): boolean {
  return type === 'core' && PROTECTED_CATEGORIES.includes(category);
}
