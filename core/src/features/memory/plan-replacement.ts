import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import type { Source } from '../../kernel/contract/fields.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { foundLink, isDatedAhead, isFoundLink, type Link, NO_LINK } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import type { FactComparison } from '../supersession/compare-fact.ts';
import { viewOf } from '../visibility/view.ts';
import { chainFrom, circlesWith, lockChains } from './chain.ts';
import { type ChainRows, findDecided, type Move, moveOthers, planMove, STAYS } from './follow-dates.ts';
import type { Related } from './insert.ts';
import { lockCurrent } from './lock-current.ts';
import { idsOf, lockActive, markSuperseded, NAMED, named, type Replacement } from './supersede.ts';

/** What a change of a stored memory does to other stored ones. */
interface ReplacementPlan {
  /** Those that it supersedes. */
  readonly replaced: readonly Omit<Replacement, 'newer'>[];
  /** Whether the caller named one of them. */
  readonly isNamed: boolean;
  /** What supersedes it from then on; undefined: stays. */
  readonly link: Link | undefined;
  /** What becomes of the links of others in its chain. */
  readonly moved: Move['others'];
  /** How it stands to other facts; undefined where it says the same of the same time. */
  readonly comparison: FactComparison<Related> | undefined;
}

/** How what a memory says from now on, or when, stands to other facts. */
interface Compared {
  readonly before: MemoryRow;
  readonly comparison: FactComparison<Related> | undefined;
  /** Compares it with what is stored now. */
  readonly compareAnew: (tx: Tx) => Promise<FactComparison<Related> | undefined>;
}

/** What a change of a stored memory is about. */
interface ReplacementInput {
  /** Ids of those that the caller named. */
  readonly supersedes?: readonly string[] | undefined;
  /** How it was compared; undefined where it says the same of the same time. */
  readonly compared?: Compared | undefined;
  /** Its chain, where it is dated anew. From `lockDatedAnew`. */
  readonly around?: ChainRows | undefined;
  /** Whether it holds again, whatever superseded it. */
  readonly holdsAgain?: boolean;
}

/**
 * Decides which stored memories a changed one supersedes, and locks them: those that the caller named, those of its chain that it
 * passes where it is dated anew, and those that the comparison found. Where these have changed since, it is compared anew.
 * `lockForReplacing` must be called before. For new memories, see `planSupersession`.
 *
 * @param newer As it is after the call.
 * @throws SvcError as `lockReplaced`.
 */
export async function planReplacement(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  { supersedes, compared, around, holdsAgain = false }: ReplacementInput,
): Promise<ReplacementPlan> {
  const { own, others } = around ? await planMove(tx, context, newer, around) : STAYS;
  const link = own ?? (holdsAgain ? foundLink(null) : undefined);
  const placed = { ...newer, ...link };
  const replaced = (await lockReplaced(tx, context, placed, supersedes)).map((older) => ({
    older,
    reason: NAMED,
    basis: 'stated' as const,
  }));
  const moved = others.filter(({ row }) => !replaced.some(({ older }) => older.id === row.id));
  const plan = { replaced, isNamed: replaced.length > 0, link, moved, comparison: undefined };
  if (!compared) return plan;
  const { before, compareAnew } = compared;
  const asCompared = (comparison: FactComparison<Related> | undefined) =>
    new Map([[before, { draft: { supersedes }, comparison }]]);
  const { items, locked } = await lockCurrent(tx, context, asCompared(compared.comparison), async () =>
    asCompared(await compareAnew(tx)),
  );
  const comparison = items.get(before)?.comparison;
  return comparison && idsOfSuperseded(comparison).length > 0
    ? planCompared(tx, context, placed, comparison, { plan, locked })
    : { ...plan, comparison };
}

/** Adds to a plan what the rules found. */
async function planCompared(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  comparison: FactComparison<Related>,
  {
    plan,
    locked: there,
  }: { readonly plan: ReplacementPlan; readonly locked: ReadonlyMap<string, MemoryRow> },
): Promise<ReplacementPlan> {
  const isDecided = await findDecided(tx, context, [newer, ...there.values()]);
  const find = (other: Related): MemoryRow | undefined => {
    const row = 'id' in other ? there.get(other.id) : undefined;
    const isSame = row && 'id' in other && row.version === other.version;
    return isSame && !isDecided(newer.id, row.id) ? row : undefined;
  };
  const found = comparison.supersededBy && find(comparison.supersededBy.other);
  const { now } = context;
  const later = found && isDatedAhead(found, now) && !isDatedAhead(newer, now) ? undefined : found;
  const chain = await followers(tx, context, newer);
  const replaced = new Map(plan.replaced.map((one) => [one.older.id, one]));
  for (const { other, reason } of comparison.supersedes) {
    const older = find(other);
    // What the next one ended is ended by this one, which comes between the two.
    const isOpen =
      other.supersededFrom === null || (isFoundLink(older ?? NO_LINK) && older?.supersededBy === later?.id);
    if (!older || !isOpen || chain.has(older.id) || replaced.has(older.id)) continue;
    replaced.set(older.id, { older, reason, basis: 'rule' });
  }
  const planned = new Map([
    ...plan.moved.map(({ row, link }) => [row.id, link.supersededBy] as const),
    ...[...replaced.keys()].map((id) => [id, newer.id] as const),
    [newer.id, later?.id ?? newer.supersededBy] as const,
  ]);
  const isCircle = later !== undefined && (await circlesWith(tx, context, planned)).length > 0;
  const link = later && !isCircle ? foundLink(later.id) : plan.link;
  return { ...plan, replaced: [...replaced.values()], link, comparison };
}

/** Ids of the stored memories that a compared one is to supersede, and of the one that supersedes it. */
export function idsOfSuperseded(comparison: FactComparison<Related> | undefined): string[] {
  const { supersedes = [], supersededBy } = comparison ?? {};
  return idsOf([...supersedes, ...(supersededBy ? [supersededBy] : [])].map(({ other }) => other));
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

/**
 * Marks the memories that a changed one supersedes, and moves the links of others in its chain.
 *
 * @returns those that it supersedes.
 */
export async function markReplaced(
  tx: Tx,
  context: Context,
  newer: MemoryRow,
  { replaced, moved }: ReplacementPlan,
  source: Source,
): Promise<readonly Pick<Replacement, 'older' | 'reason'>[]> {
  const passed = await moveOthers(tx, context, newer, moved, { change: 'updated', source });
  const isThere = new Set(passed.map(({ older }) => older.id));
  const others = replaced.filter(({ older }) => !isThere.has(older.id));
  await markSuperseded(
    tx,
    context,
    others.map((one) => ({ ...one, newer })),
    source,
  );
  return [...others, ...passed];
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
  const done = await alreadyReplaced(tx, context, newer, ids);
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
async function alreadyReplaced(
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

/** Ids of a changed memory and of those that supersede it. */
async function followers(tx: Tx, context: Context, row: MemoryRow): Promise<ReadonlySet<string>> {
  return new Set([row.id, ...(await chainFrom(tx, context, row.supersededBy))]);
}
