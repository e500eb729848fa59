import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { isDatedAhead } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import type { FactComparison } from '../supersession/compare-fact.ts';
import { viewOf } from '../visibility/view.ts';
import { chainFrom, lockChains } from './chain.ts';
import type { Related } from './insert.ts';
import { idsOf, lockActive, markSuperseded, NAMED, named, type Replacement } from './supersede.ts';

/** What a change of a stored memory does to other stored ones. */
interface ReplacementPlan {
  /** Those that it supersedes. */
  readonly replaced: readonly Omit<Replacement, 'newer'>[];
  /** Whether the caller named one of them. */
  readonly isNamed: boolean;
  /** The fact that begins later and supersedes it. */
  readonly follower: MemoryRow | undefined;
}

/**
 * Decides which stored memories a changed one supersedes, and locks them: those that the caller named, and those that the comparison
 * found and that have not changed since. `lockForReplacing` must be called before. For new memories, see `planSupersession`.
 *
 * @param newer As it is after the call.
 * @throws SvcError as `lockReplaced`.
 */
export async function planReplacement(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  {
    supersedes,
    comparison,
  }: {
    readonly supersedes: readonly string[] | undefined;
    readonly comparison: FactComparison<Related> | undefined;
  },
): Promise<ReplacementPlan> {
  const named = (await lockReplaced(tx, context, newer, supersedes)).map((older) => ({
    older,
    reason: NAMED,
  }));
  const isNamed = named.length > 0;
  const ids = idsOfSuperseded(comparison);
  if (ids.length === 0) return { replaced: named, isNamed, follower: undefined };
  const there = await lockActive(tx, context, ids);
  const find = (other: Related): MemoryRow | undefined => {
    const row = 'id' in other ? there.get(other.id) : undefined;
    return row && 'id' in other && row.version === other.version ? row : undefined;
  };
  const chain = await followers(tx, context, newer);
  const replaced = new Map(named.map((one) => [one.older.id, one]));
  for (const { other, reason } of comparison?.supersedes ?? []) {
    const older = find(other);
    if (!older || other.supersededFrom !== null || chain.has(older.id) || replaced.has(older.id)) continue;
    replaced.set(older.id, { older, reason });
  }
  const found = comparison?.supersededBy && find(comparison.supersededBy.other);
  const { now } = context;
  const later = found && isDatedAhead(found, now) && !isDatedAhead(newer, now) ? undefined : found;
  const follower =
    later && (await leadsTo(tx, context, later, [newer.id, ...replaced.keys()])) ? undefined : later;
  return { replaced: [...replaced.values()], isNamed, follower };
}

/** Ids of the stored memories that a compared one is to supersede, and of the one that supersedes it. */
export function idsOfSuperseded(comparison: FactComparison<Related> | undefined): string[] {
  if (!comparison) return [];
  return idsOf([...comparison.supersedes, ...(comparison.supersededBy ? [comparison.supersededBy] : [])]);
}

/**
 * Locks a stored memory together with those that it is to supersede. This comes before any other lock and in the order of the ids,
 * so that calls that name each other's memories wait and do not deadlock.
 */
export async function lockForReplacing(
  tx: Tx,
  context: Context,
  newer: readonly string[],
  ids: readonly string[],
): Promise<void> {
  await lockChains(tx, context);
  await lockActive(tx, context, [...newer, ...ids]);
}

/** Marks the memories that a changed one supersedes. */
export function markReplaced(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  { replaced }: ReplacementPlan,
  source: Source,
): Promise<void> {
  const replacements = replaced.map(({ older }) => ({ older, newer }));
  return markSuperseded(tx, context, replacements, source);
}

/**
 * The memories that the caller wants a stored one to supersede, without those that it supersedes already, archived ones included: a
 * repeated call changes nothing more. `lockForReplacing` must be called before.
 *
 * @param newer As it is after the call.
 * @throws SvcError `VALIDATION_ERROR` where one is not there, or supersedes that memory itself; `FORBIDDEN` where it is
 *   protected.
 */
async function lockReplaced(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  ids: readonly string[] = [],
): Promise<MemoryRow[]> {
  const done = await replacedBy(tx, context, newer, ids);
  const wanted = ids.filter((id) => !done.has(id));
  if (wanted.length === 0) return [];
  const there = await lockActive(tx, context, wanted);
  const chain = await followers(tx, context, newer);
  const replaced: MemoryRow[] = [];
  for (const id of wanted) {
    if (chain.has(id)) throw invalid('supersedes', `names ${id}, which supersedes this memory or is it`);
    replaced.push(await named(tx, context, there, { id, path: 'supersedes' }));
  }
  return replaced;
}

/** Which of some memories a stored one supersedes already. */
async function replacedBy(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const { id, tenantId, supersededBy } = memories;
  const { known, readable } = await viewOf(tx, context);
  const replaced = await tx
    .select({ id })
    .from(memories)
    .where(
      and(
        eq(tenantId, context.tenantId),
        sql`${id} = ANY(${uuids(ids)})`,
        eq(supersededBy, newer.id),
        known,
        readable,
      ),
    );
  return new Set(replaced.map((one) => one.id));
}

/** Whether a memory, or one of those that supersede it, is among some. */
async function leadsTo(tx: Tx, context: Context, row: MemoryRow, ids: readonly string[]): Promise<boolean> {
  const chain = await followers(tx, context, row);
  return ids.some((id) => chain.has(id));
}

/** Ids of a changed memory and of those that supersede it. */
async function followers(tx: Tx, context: Context, row: MemoryRow): Promise<ReadonlySet<string>> {
  return new Set([row.id, ...(await chainFrom(tx, context, row.supersededBy))]);
}
