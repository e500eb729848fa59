import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { timestamptz, uuids } from '../../kernel/database/parameters.ts';
import type { LinkBasis, Stored } from '../records/contract.ts';
import { contentSourceOf, foundLink, joinTags, startOf, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import { type FactComparison, mayContradict } from '../supersession/compare-fact.ts';
import type { Conflict } from '../supersession/note-conflicts.ts';
import { viewOf } from '../visibility/view.ts';
import { changeMemory } from './change.ts';
import type { Prepared, Related } from './insert.ts';

/** The reason where the author named the memory. */
export const NAMED = 'its author says so';

/** A stored memory whose place a new one takes. */
export interface Replacement {
  readonly older: MemoryRow;
  readonly newer: MemoryRow;
  readonly reason: string;
  readonly basis: LinkBasis;
}

/** What new memories do to stored ones and to each other. */
export interface Supersession {
  /** The new memories, as they were compared last. */
  readonly items: ReadonlyMap<MemoryRow, Prepared>;
  /** New row → the row that says the same already. That may be a new one of the same call. */
  readonly again: ReadonlyMap<MemoryRow, MemoryRow>;
  readonly replacements: readonly Replacement[];
  /** Stored memories that hold again, since what superseded them is one of a flood. */
  readonly released: readonly MemoryRow[];
  /** New row → the new rows of the same call whose place it takes. */
  readonly ofCall: ReadonlyMap<MemoryRow, readonly Pick<Replacement, 'older' | 'reason'>[]>;
}

/** The active memories of these ids that the caller may know of, held until the transaction ends. */
export async function lockActive(
  tx: Tx,
  context: Context,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  if (ids.length === 0) return new Map();
  const { known, readable } = await viewOf(tx, context);
  const found = await tx
    .select()
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, context.tenantId),
        sql`${memories.id} = ANY(${uuids([...new Set(ids)])})`,
        isNull(memories.archivedAt),
        isUnexpired(context.now),
        known,
        readable,
      ),
    )
    .orderBy(memories.id)
    .for('update');
  return new Map(found.map((row) => [row.id, row]));
}

/** Ids of those that are stored. */
export function idsOf(related: readonly Related[]): string[] {
  return related.flatMap((one) => ('id' in one ? one.id : []));
}

/**
 * A memory that an author wants to supersede.
 *
 * @param path Of the field that names it.
 * @throws SvcError `VALIDATION_ERROR` where it is not there, `FORBIDDEN` where it is protected.
 */
export async function named(
  tx: Tx,
  context: Context,
  there: ReadonlyMap<string, MemoryRow>,
  { id, path }: { readonly id: string; readonly path: string },
): Promise<MemoryRow> {
  const row = there.get(id);
  if (!row) throw invalid(path, `names ${id}, which is no active memory of this agent`);
  // Like a removal: what stands in its place says who the agent is.
  await context.changePolicy.assertApproved(tx, context, row, null);
  return row;
}

/** Takes back that stored memories were superseded. */
export async function release(
  tx: Tx,
  context: Context,
  released: readonly MemoryRow[],
  source: Source,
): Promise<void> {
  for (const row of released)
    await changeMemory(tx, context, row, { change: 'updated', link: foundLink(null), source });
}

/** Marks the stored memories whose place new ones took. */
export async function markSuperseded(
  tx: Tx,
  context: Context,
  replacements: readonly Omit<Replacement, 'reason'>[],
  source: Source,
): Promise<void> {
  for (const { older, newer, basis } of replacements) {
    const link = { supersededBy: newer.id, supersededBasis: basis };
    await changeMemory(tx, context, older, { change: 'updated', link, source });
    await emitSuperseded(tx, context, older.id, newer.id);
  }
}

/** The event of a memory whose place another took. */
export function emitSuperseded(tx: Tx, context: Context, id: string, by: string): Promise<void> {
  return context.emit(tx, 'memory.superseded', { memory_id: id, superseded_by: by });
}

/** The pairs of stored memories that a language model may decide, since the rules cannot. */
export function undecidedAmong(
  items: ReadonlyMap<MemoryRow, Prepared>,
  stored: ReadonlySet<MemoryRow>,
): Conflict[] {
  const rowOf = new Map([...stored].map((row) => [items.get(row)?.draft, row]));
  return [...stored].flatMap((row) =>
    (items.get(row)?.comparison?.undecided ?? []).flatMap(({ other, isLater }) => {
      const compared = 'draft' in other ? rowOf.get(other.draft) : other;
      if (!compared) return [];
      return [isLater ? { older: row, newer: compared } : { older: compared, newer: row }];
    }),
  );
}

/** The part of the answer to a new memory that says what it did to others. */
export function effectsOfNew(
  row: MemoryRow,
  { comparison }: Prepared,
  { replacements, ofCall }: Pick<Supersession, 'replacements' | 'ofCall'>,
): Pick<Stored, 'superseded' | 'conflicts'> {
  const own = replacements.filter(({ newer }) => newer === row);
  return effectsOf([...own, ...(ofCall.get(row) ?? [])], comparison);
}

/** The part of an answer that says which memories one superseded, and with which it is in conflict. */
export function effectsOf(
  replaced: readonly Pick<Replacement, 'older' | 'reason'>[],
  comparison: FactComparison<Related> | undefined,
): Pick<Stored, 'superseded' | 'conflicts'> {
  const superseded = replaced.map(({ older: { id, content }, reason }) => ({ id, content, reason }));
  const conflicts = (comparison?.conflicts ?? []).flatMap(({ other, reason }) =>
    'id' in other ? [{ id: other.id, content: other.content, reason }] : [],
  );
  return {
    ...(superseded.length > 0 ? { superseded } : {}),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  };
}

/**
 * Confirms a stored memory that a new one says again: counts it, and adds the tags and the importance that the stored one lacks.
 *
 * @returns the answer about the new one, which is not stored: the memory that says the same.
 */
export async function confirm(
  tx: Tx,
  context: Context,
  same: MemoryRow,
  again: MemoryRow,
  source: Source,
): Promise<Stored> {
  // The same call may have changed it: by another repetition, or by what supersedes it.
  const row = (await lockActive(tx, context, [same.id])).get(same.id) ?? same;
  const tags = joinTags(row.tags, again.tags) ?? row.tags;
  // What comes from outside may repeat what the agent knows, and does not say how much that matters.
  const mayRaise = mayContradict(source, contentSourceOf(row));
  const importance = mayRaise ? Math.max(row.importance, again.importance) : row.importance;
  const adds = tags.length > row.tags.length || importance > row.importance;
  const current = adds
    ? await changeMemory(tx, context, row, { change: 'updated', fields: { tags, importance }, source })
    : row;
  const [confirmed = current] = await tx
    .update(memories)
    .set({
      confirmations: sql`${memories.confirmations} + 1`,
      lastConfirmedAt: sql`greatest(${memories.lastConfirmedAt}, ${timestamptz(startOf(again))})`,
    })
    .where(and(eq(memories.tenantId, context.tenantId), eq(memories.id, row.id)))
    .returning();
  return { outcome: adds ? 'merged' : 'unchanged', memory: toMemory(confirmed) };
}
