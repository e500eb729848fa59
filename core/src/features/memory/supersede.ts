import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import { uuids } from '../../kernel/database/arrays.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { isTrigram } from '../../text/terms.ts';
import type { Stored } from '../records/contract.ts';
import { isDatedAhead, joinTags, startOf, toMemory } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import type { Conflict } from '../supersession/note-conflicts.ts';
import { type Reasoned, reasonToReplace, type Settled } from '../supersession/settle.ts';
import { viewOf } from '../visibility/view.ts';
import { changeMemory } from './change.ts';
import type { NewMemory } from './contract.ts';
import type { Prepared, Related } from './insert.ts';

/** The reason where the author named the memory. */
export const NAMED = 'its author says so';
/** Links of a chain that are followed. */
const MOST_LINKS = 1_000;

/** A stored memory whose place a new one takes. */
export interface Replacement {
  readonly older: MemoryRow;
  readonly newer: MemoryRow;
  readonly reason: string;
}

/** What becomes of new memories by those that are there. */
export interface Supersession {
  /** New row → the row that says the same already. That may be a new one of the same call. */
  readonly again: ReadonlyMap<MemoryRow, MemoryRow>;
  readonly replacements: readonly Replacement[];
  /** Stored memories that hold again, since what superseded them is one of a flood. */
  readonly released: readonly MemoryRow[];
  /** New row → the new rows of the same call whose place it takes. */
  readonly ofCall: ReadonlyMap<MemoryRow, readonly Omit<Replacement, 'newer'>[]>;
}

/**
 * Decides what new memories do to those that are there, and holds these until the transaction ends. A memory that has changed
 * since it was compared is left to the next reflection. Marks in the new rows themselves what supersedes them.
 *
 * @throws SvcError `VALIDATION_ERROR` where a draft names a memory to supersede that is not there; `FORBIDDEN` where it is
 *   protected.
 */
export async function planSupersession(
  tx: Tx,
  context: Context,
  items: ReadonlyMap<MemoryRow, Prepared>,
): Promise<Supersession> {
  const inForce = await lastInForce(tx, context, items);
  const there = await lockKin(tx, context, [...items.values()], [...inForce.values()]);
  const rowOf = new Map<NewMemory, MemoryRow>([...items].map(([row, { draft }]) => [draft, row]));
  const again = new Map<MemoryRow, MemoryRow>();
  const replacements = new Map<string, Replacement>();
  const released = new Set<MemoryRow>();
  const ofCall = new Map<MemoryRow, Omit<Replacement, 'newer'>[]>();
  /** Of what is said again, the tags with those of its repetitions. */
  const tagsOf = new Map<MemoryRow, readonly string[]>();
  /** The row of a kin; undefined where it is not what it was. */
  const find = (kin: Related): MemoryRow | undefined => {
    if ('draft' in kin) return rowOf.get(kin.draft);
    const row = there.get(kin.id);
    return row?.version === kin.version ? row : undefined;
  };
  const replace = (older: MemoryRow, newer: MemoryRow, reason: string) => {
    const former = replacements.get(older.id);
    if (former && startOf(former.newer) > startOf(newer)) return;
    replacements.set(older.id, { older, newer, reason });
  };
  for (const [row, { draft, settled, within = '' }] of items) {
    const found = settled?.same && find(settled.same);
    const same = found && (again.get(found) ?? found);
    const tags = same && joinTags(tagsOf.get(same) ?? same.tags, row.tags);
    // One whose tags would be too many together stands for itself: a tag may hide it from the human.
    if (same && tags) {
      again.set(row, same);
      tagsOf.set(same, tags);
      continue;
    }
    const follower = settled?.supersededBy && find(settled.supersededBy.kin);
    if (follower) row.supersededBy = follower.id;
    for (const { kin, reason } of settled?.supersedes ?? []) {
      const older = inForce.has(row) ? undefined : find(kin);
      if (!older) continue;
      // It comes between that one and what follows it, which the comparison may not have found.
      if (kin.supersededFrom !== null) row.supersededBy ??= older.supersededBy;
      if (!('draft' in kin)) replace(older, row, reason);
      else if (older.supersededBy === null) {
        older.supersededBy = row.id;
        ofCall.set(row, [...(ofCall.get(row) ?? []), { older, reason }]);
      }
    }
    const last = there.get(inForce.get(row) ?? '');
    const why = last && reasonToReplace(last, row);
    if (last && why !== undefined) {
      replace(last, row, why);
      row.supersededBy = last.supersededBy ?? row.supersededBy;
    }
    for (const kin of settled?.released ?? []) {
      const freed = find(kin);
      if (!freed) continue;
      if ('draft' in kin) freed.supersededBy = null;
      else if (freed.supersededBy !== null) released.add(freed);
      replacements.delete(freed.id);
    }
    const ofSameCall = (settled?.undecided ?? []).flatMap(({ kin }) => {
      const other = 'draft' in kin ? rowOf.get(kin.draft) : undefined;
      return other && holdsHalf(items.get(other), items.get(row)) ? other.id : [];
    });
    if (ofSameCall.length > 0) row.conflictsWith = [...(row.conflictsWith ?? []), ...ofSameCall];
    for (const id of draft.supersedes ?? [])
      replace(await named(tx, context, there, { id, path: `${within}supersedes` }), row, NAMED);
  }
  await freeFromAhead(tx, context, [...items.keys()]);
  const holds = ({ older }: Omit<Replacement, 'newer'>, row: MemoryRow) => older.supersededBy === row.id;
  const kept = new Map([...ofCall].map(([row, all]) => [row, all.filter((one) => holds(one, row))]));
  return { again, replacements: [...replacements.values()], released: [...released], ofCall: kept };
}

/**
 * Takes from new facts of now what would follow them only because it is dated ahead: it would end each fact that is told until then.
 * What has a date of its own in the future keeps its place behind others that have.
 */
async function freeFromAhead(tx: Tx, context: Context, added: readonly MemoryRow[]): Promise<void> {
  const isAhead = (row: Pick<MemoryRow, 'validFrom' | 'occurredAt'>) => isDatedAhead(row, context.now);
  const followed = added.filter((row) => row.supersededBy !== null && !isAhead(row));
  if (followed.length === 0) return;
  const { id, tenantId, validFrom, occurredAt } = memories;
  const ids = uuids([...new Set(followed.flatMap(({ supersededBy }) => supersededBy ?? []))]);
  const stored = await tx
    .select({ id, validFrom, occurredAt })
    .from(memories)
    .where(and(eq(tenantId, context.tenantId), sql`${id} = ANY(${ids})`));
  const ahead = new Set([...stored, ...added].filter(isAhead).map((row) => row.id));
  for (const row of followed) if (ahead.has(row.supersededBy ?? '')) row.supersededBy = null;
}

/** Whether a memory holds at least half of another's terms: a doubt that is stored weighs in each recall, so a common word is not enough. */
function holdsHalf(one: Prepared | undefined, other: Prepared | undefined): boolean {
  const terms = [...(other?.analysis.terms.terms.keys() ?? [])].filter((term) => !isTrigram(term));
  return terms.filter((term) => one?.analysis.terms.terms.has(term)).length >= terms.length / 2;
}

/**
 * For each new fact of whose chain the comparison found only facts that had ended, or that begin later, the id of the one that holds
 * when it begins: a chain may be longer than the related memories that are looked at.
 */
async function lastInForce(
  tx: Tx,
  context: Context,
  items: ReadonlyMap<MemoryRow, Prepared>,
): Promise<ReadonlyMap<MemoryRow, string>> {
  const found = new Map<MemoryRow, string>();
  for (const [row, { settled }] of items) {
    const [former] = settled?.supersedes ?? [];
    const later = settled?.supersededBy?.kin;
    const chain =
      former === undefined
        ? later && 'id' in later && beforeInChain(context, later.id, startOf(row))
        : isEndedBefore(former.kin, startOf(row)) && afterInChain(context, former.kin.id, startOf(row));
    if (!chain) continue;
    const [last] = await rows<{ id: string }>(tx, chain);
    if (last && last.id !== row.id) found.set(row, last.id);
  }
  return found;
}

function isEndedBefore(kin: Related, start: Date): kin is Extract<Related, { readonly id: string }> {
  return 'id' in kin && kin.supersededFrom !== null && kin.supersededFrom <= start;
}

/** The last fact of a chain, from one of them on, that begins by a moment. Index: the primary key. */
function afterInChain({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  return sql`WITH RECURSIVE chain(id, next, link) AS (
      SELECT id, superseded_by, 0 FROM ${memories} WHERE ${tenant} AND id = ${id}::uuid
      UNION ALL SELECT newer.id, newer.superseded_by, link + 1
      FROM chain CROSS JOIN LATERAL (SELECT * FROM ${memories} WHERE ${tenant} AND id = chain.next
        AND archived_at IS NULL AND coalesce(valid_from, occurred_at) <= ${moment.toISOString()}::timestamptz) AS newer
      WHERE link < ${MOST_LINKS}::int
    ) SELECT id FROM chain ORDER BY link DESC LIMIT 1`;
}

/** The last fact of a chain, before one of them, that begins by a moment. Index memories_superseded. */
function beforeInChain({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  const began = sql`coalesce(valid_from, occurred_at)`;
  const at = sql`${moment.toISOString()}::timestamptz`;
  return sql`WITH RECURSIVE chain(id, began, link) AS (
      SELECT id, ${began}, 1 FROM ${memories} WHERE ${tenant} AND superseded_by = ${id}::uuid AND archived_at IS NULL
      UNION ALL SELECT older.id, older.began, link + 1
      FROM chain CROSS JOIN LATERAL (SELECT id, ${began} AS began FROM ${memories}
        WHERE ${tenant} AND superseded_by = chain.id AND archived_at IS NULL) AS older
      WHERE chain.began > ${at} AND link < ${MOST_LINKS}::int
    ) SELECT id FROM chain WHERE began <= ${at} ORDER BY began DESC LIMIT 1`;
}

/** Locks the stored memories that new ones may replace or say again, in the order of their ids. */
async function lockKin(
  tx: Tx,
  context: Context,
  items: readonly Prepared[],
  more: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  const named = items.flatMap(({ draft, settled }) => [
    ...idsOf([...(settled?.supersedes ?? []), ...(settled?.supersededBy ? [settled.supersededBy] : [])]),
    ...(settled?.same && 'id' in settled.same ? [settled.same.id] : []),
    ...(settled?.released ?? []).flatMap((kin) => ('id' in kin ? [kin.id] : [])),
    ...(draft.supersedes ?? []),
  ]);
  return lockActive(tx, context, [...named, ...more]);
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

export function idsOf(reasoned: readonly Reasoned<Related>[]): string[] {
  return reasoned.flatMap(({ kin }) => ('id' in kin ? [kin.id] : []));
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
    await changeMemory(tx, context, row, { change: 'updated', supersededBy: null, source });
}

/** Marks the stored memories whose place new ones took. */
export async function markSuperseded(
  tx: Tx,
  context: Context,
  replacements: readonly Omit<Replacement, 'reason'>[],
  source: Source,
): Promise<void> {
  for (const { older, newer } of replacements) {
    await changeMemory(tx, context, older, { change: 'updated', supersededBy: newer.id, source });
    await emitSuperseded(tx, context, older.id, newer.id);
  }
}

/** The event of a memory whose place another took. */
function emitSuperseded(tx: Tx, context: Context, id: string, by: string): Promise<void> {
  return context.emit(tx, 'memory.superseded', { memory_id: id, superseded_by: by });
}

/** The pairs of stored memories that a language model may decide, since the rules cannot. */
export function undecidedAmong(
  items: ReadonlyMap<MemoryRow, Prepared>,
  stored: ReadonlySet<MemoryRow>,
): Conflict[] {
  const rowOf = new Map([...stored].map((row) => [items.get(row)?.draft, row]));
  return [...stored].flatMap((row) =>
    (items.get(row)?.settled?.undecided ?? []).flatMap(({ kin, isLater }) => {
      const other = 'draft' in kin ? rowOf.get(kin.draft) : kin;
      if (!other) return [];
      return [isLater ? { older: row, newer: other } : { older: other, newer: row }];
    }),
  );
}

/** The part of an answer that tells what a new memory did to others. */
export function toldOf(
  row: MemoryRow,
  { settled }: Prepared,
  { replacements, ofCall }: Pick<Supersession, 'replacements' | 'ofCall'>,
): Pick<Stored, 'superseded' | 'conflicts'> {
  const own = replacements.filter(({ newer }) => newer === row);
  return tell([...own, ...(ofCall.get(row) ?? [])], settled);
}

/** The part of an answer that tells whose place a memory took, and what it leaves in doubt. */
export function tell(
  replaced: readonly Omit<Replacement, 'newer'>[],
  settled: Settled<Related> | undefined,
): Pick<Stored, 'superseded' | 'conflicts'> {
  const superseded = replaced.map(({ older: { id, content }, reason }) => ({ id, content, reason }));
  const conflicts = (settled?.conflicts ?? []).flatMap(({ kin, reason }) =>
    'id' in kin ? [{ id: kin.id, content: kin.content, reason }] : [],
  );
  return {
    ...(superseded.length > 0 ? { superseded } : {}),
    ...(conflicts.length > 0 ? { conflicts } : {}),
  };
}

/**
 * The answer about what was said again: the memory that says it already, which gets the tags and the importance of the new one
 * where it lacks them. It counts how often it was confirmed.
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
  const importance = Math.max(row.importance, again.importance);
  const adds = tags.length > row.tags.length || importance > row.importance;
  const current = adds
    ? await changeMemory(tx, context, row, { change: 'updated', fields: { tags, importance }, source })
    : row;
  const [confirmed = current] = await tx
    .update(memories)
    .set({
      confirmations: sql`${memories.confirmations} + 1`,
      lastConfirmedAt: sql`greatest(${memories.lastConfirmedAt}, ${startOf(again).toISOString()}::timestamptz)`,
    })
    .where(and(eq(memories.tenantId, context.tenantId), eq(memories.id, row.id)))
    .returning();
  return { outcome: adds ? 'merged' : 'unchanged', memory: toMemory(confirmed) };
}
