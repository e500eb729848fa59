import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { isTrigram } from '../../text/terms.ts';
import type { LinkBasis } from '../records/contract.ts';
import { foundLink, inOrderOfTime, isDatedAhead, joinTags, NO_LINK, startOf } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import { type FactComparison, reasonToReplace } from '../supersession/compare-fact.ts';
import { SAID_AGAIN } from '../supersession/rules/said-again.ts';
import { chainFrom, firstActive } from './chain.ts';
import type { NewMemory } from './contract.ts';
import type { Prepared, Related } from './insert.ts';
import { lockCurrent } from './lock-current.ts';
import { NAMED, named, type Replacement, type Supersession } from './supersede.ts';

/**
 * Decides what new memories do to stored ones, and locks these until the transaction ends. Where they have changed since they were
 * compared, the new ones are compared anew. New rows that another memory supersedes are marked so in place.
 *
 * @param compareAnew Compares the new memories with what is stored now, in the transaction.
 * @throws SvcError `VALIDATION_ERROR` where a draft names a memory to supersede that does not exist; `FORBIDDEN` where that is
 *   protected.
 */
export async function planSupersession(
  tx: Tx,
  context: Context,
  prepared: ReadonlyMap<MemoryRow, Prepared>,
  compareAnew: (items: ReadonlyMap<MemoryRow, Prepared>) => Promise<ReadonlyMap<MemoryRow, Prepared>>,
): Promise<Supersession> {
  const { items, inForce, locked } = await lockCurrent(tx, context, prepared, compareAnew);
  const plan = new SupersessionPlan(items, locked);
  const asCompared = inOrderOfTime([...items], ([row]) => startOf(row));
  for (const [row, { draft, comparison, within = '' }] of asCompared) {
    if (plan.isRepeated(row, comparison)) continue;
    plan.follow(row, comparison);
    const last = inForce.get(row);
    if (last === undefined) plan.replaceCompared(row, comparison);
    else plan.replaceInForce(row, last, comparison?.supersedes[0]?.reason);
    plan.replaceReturned(comparison);
    plan.release(comparison);
    plan.noteConflicts(row, comparison);
    for (const id of draft.supersedes ?? []) {
      const older = await named(tx, context, locked, { id, path: `${within}supersedes` });
      plan.replace(older, row, NAMED, 'stated');
    }
  }
  const added = [...items.keys()];
  await followToActive(tx, context, added);
  await freeFromAhead(tx, context, added);
  const supersession = plan.finish();
  await openCircles(tx, context, added, supersession.replacements);
  return { ...supersession, items };
}

/** What the new memories of one call do to stored ones and to each other, found row by row in their order. */
class SupersessionPlan {
  readonly #items: ReadonlyMap<MemoryRow, Prepared>;
  readonly #locked: ReadonlyMap<string, MemoryRow>;
  readonly #rowOf: ReadonlyMap<NewMemory, MemoryRow>;
  readonly #again = new Map<MemoryRow, MemoryRow>();
  /** By memory that is repeated, its tags with those of its repetitions so far. */
  readonly #tagsOf = new Map<MemoryRow, readonly string[]>();
  readonly #replacements = new Map<string, Replacement>();
  readonly #released = new Set<MemoryRow>();
  readonly #ofCall = new Map<MemoryRow, Pick<Replacement, 'older' | 'reason'>[]>();

  /** @param locked The stored memories that the plan may name, by id. */
  constructor(items: ReadonlyMap<MemoryRow, Prepared>, locked: ReadonlyMap<string, MemoryRow>) {
    this.#items = items;
    this.#locked = locked;
    this.#rowOf = new Map([...items].map(([row, { draft }]) => [draft, row]));
  }

  /** Whether another memory says the same as a new one, which is then not stored but confirms the other. */
  isRepeated(row: MemoryRow, comparison: FactComparison<Related> | undefined): boolean {
    const found = comparison?.same && this.#find(comparison.same);
    const same = found && (this.#again.get(found) ?? found);
    const tags = same && joinTags(this.#tagsOf.get(same) ?? same.tags, row.tags);
    // One whose tags would be too many together stands for itself: a tag may hide it from the human.
    if (!same || !tags) return false;
    this.#again.set(row, same);
    this.#tagsOf.set(same, tags);
    return true;
  }

  /** Marks a new row that a later fact supersedes. */
  follow(row: MemoryRow, comparison: FactComparison<Related> | undefined): void {
    const follower = comparison?.supersededBy && this.#find(comparison.supersededBy.other);
    if (follower) Object.assign(row, foundLink(follower.id));
  }

  replaceCompared(row: MemoryRow, comparison: FactComparison<Related> | undefined): void {
    for (const { other, reason } of comparison?.supersedes ?? []) {
      const older = this.#find(other);
      const hasEnded = other.supersededFrom !== null && other.supersededFrom <= startOf(row);
      if (!older || hasEnded) continue;
      // It comes between that one and what follows it, which the comparison may not have found.
      if (other.supersededFrom !== null && row.supersededBy === null)
        Object.assign(row, foundLink(older.supersededBy));
      if (!('draft' in other)) this.replace(older, row, reason);
      else if (older.supersededBy === null || other.supersededFrom !== null) {
        Object.assign(older, foundLink(row.id));
        this.#ofCall.set(row, [...(this.#ofCall.get(row) ?? []), { older, reason }]);
      }
    }
  }

  /** Replaces the fact of the chain that holds when a new one begins, which the comparison did not find. */
  replaceInForce(row: MemoryRow, id: string, former?: string): void {
    const last = this.#locked.get(id);
    const reason = last && reasonToReplace(last, row, former);
    if (!last || reason === undefined) return;
    this.replace(last, row, reason);
    if (last.supersededBy !== null) Object.assign(row, foundLink(last.supersededBy));
  }

  /** Replaces facts that came between one that is new and the same said again. */
  replaceReturned(comparison: FactComparison<Related> | undefined): void {
    for (const pair of comparison?.returned ?? []) {
      const [older, newer] = [this.#find(pair.older), this.#find(pair.newer)];
      if (!older || !newer || older.supersededBy !== null) continue;
      if ('draft' in pair.older) Object.assign(older, foundLink(newer.id));
      else this.replace(older, newer, SAID_AGAIN);
    }
  }

  /** Lets those hold again that only members of a flood superseded. */
  release(comparison: FactComparison<Related> | undefined): void {
    for (const other of comparison?.released ?? []) {
      const freed = this.#find(other);
      if (!freed) continue;
      if ('draft' in other) Object.assign(freed, NO_LINK);
      else if (freed.supersededBy !== null) this.#released.add(freed);
      this.#replacements.delete(freed.id);
    }
  }

  /** Marks a new row with the new rows before it of which it is not sure whether both hold. */
  noteConflicts(row: MemoryRow, comparison: FactComparison<Related> | undefined): void {
    const ofSameCall = (comparison?.undecided ?? []).flatMap(({ other }) => {
      const ofOther = 'draft' in other ? this.#rowOf.get(other.draft) : undefined;
      return ofOther && holdsHalf(this.#items.get(ofOther), this.#items.get(row)) ? ofOther.id : [];
    });
    if (ofSameCall.length > 0) row.conflictsWith = [...(row.conflictsWith ?? []), ...ofSameCall];
  }

  /** Lets a new row take the place of a stored one; of several, the one that begins last takes it. */
  replace(older: MemoryRow, newer: MemoryRow, reason: string, basis: LinkBasis = 'rule'): void {
    const former = this.#replacements.get(older.id);
    if (former && startOf(former.newer) > startOf(newer)) return;
    this.#replacements.set(older.id, { older, newer, reason, basis });
    this.#released.delete(older);
  }

  finish(): Omit<Supersession, 'items'> {
    // Later rows may have taken the place of an older one of the call, or released it.
    const ofCall = [...this.#ofCall].map(
      ([row, all]) => [row, all.filter(({ older }) => older.supersededBy === row.id)] as const,
    );
    return {
      again: this.#again,
      replacements: [...this.#replacements.values()],
      released: [...this.#released],
      ofCall: new Map(ofCall),
    };
  }

  /** The row of a memory that was compared; undefined where it has changed since. */
  #find(other: Related): MemoryRow | undefined {
    if ('draft' in other) return this.#rowOf.get(other.draft);
    const row = this.#locked.get(other.id);
    return row?.version === other.version ? row : undefined;
  }
}

/**
 * Lets what supersedes new facts be active. They may have it from a fact before them whose successor is archived by now: that one
 * may come back, and then takes its place by itself.
 */
async function followToActive(tx: Tx, context: Context, added: readonly MemoryRow[]): Promise<void> {
  const own = new Set(added.map((row) => row.id));
  for (const row of added) {
    if (row.supersededBy !== null && !own.has(row.supersededBy))
      row.supersededBy = await firstActive(tx, context, row.supersededBy);
  }
}

/**
 * Unmarks new facts of now that a fact dated in the future would supersede: until that date it would end every fact that is stored.
 * New facts that are dated in the future themselves keep their mark.
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
  for (const row of followed) if (ahead.has(row.supersededBy ?? '')) Object.assign(row, NO_LINK);
}

/**
 * Unmarks a new fact that would be superseded by what it supersedes, or by what leads there: an author may name what begins later.
 * In a circle none would hold.
 */
async function openCircles(
  tx: Tx,
  context: Context,
  added: readonly MemoryRow[],
  replacements: readonly Replacement[],
): Promise<void> {
  const byId = new Map(added.map((row) => [row.id, row]));
  const follower = ({ supersededBy }: MemoryRow) => byId.get(supersededBy ?? '');
  for (const { older, newer } of replacements) {
    let last = newer;
    // Those of one call follow each other in time.
    for (let next = follower(last); next; next = follower(next)) last = next;
    const chain = await chainFrom(tx, context, last.supersededBy);
    if (chain.has(older.id)) Object.assign(last, NO_LINK);
  }
}

/**
 * Whether a memory holds at least half of another's terms. A conflict that is stored weighs in each recall, so a common word is not
 * enough for one.
 */
function holdsHalf(one: Prepared | undefined, other: Prepared | undefined): boolean {
  const terms = [...(other?.analysis.terms.terms.keys() ?? [])].filter((term) => !isTrigram(term));
  return terms.filter((term) => one?.analysis.terms.terms.has(term)).length >= terms.length / 2;
}
