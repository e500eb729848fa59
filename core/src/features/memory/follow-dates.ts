import { and, asc, eq, type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz, uuids } from '../../kernel/database/parameters.ts';
import {
  foundLink,
  isDatedAhead,
  isFoundLink,
  type Link,
  type MemoryFields,
  startOf,
} from '../records/row.ts';
import { type MemoryRow, memories, memoryVersions } from '../records/schema.ts';
import { FACT_TYPES } from '../search-index/fact-type.ts';
import { reasonToReplace } from '../supersession/compare-fact.ts';
import { viewOf } from '../visibility/view.ts';
import { circlesWith, lockChains, MOST_LINKS } from './chain.ts';
import { changeMemory, type NextVersion } from './change.ts';
import { emitSuperseded, type Replacement } from './supersede.ts';

/** The reason where only the times say which of two facts is the later one. */
const IS_LATER = 'it begins to hold later';

/** The memories of a chain around one that is dated anew, by id. */
export type ChainRows = ReadonlyMap<string, MemoryRow>;

/** What becomes of the links around a memory that is dated anew. */
export interface Move {
  /** Its own link; undefined: stays. */
  readonly own: Link | undefined;
  readonly others: readonly { readonly row: MemoryRow; readonly link: Link }[];
}

export const STAYS: Move = { own: undefined, others: [] };

/** A stored fact, and what it is to become. */
interface Dated {
  readonly row: MemoryRow;
  readonly fields: Pick<MemoryFields, 'validFrom' | 'occurredAt'>;
}

/**
 * Locks stored facts that are dated anew with those of their chains that they may pass. Like `lockForReplacing`, this comes before
 * any other lock. Where all begin to hold when they did, nothing is locked.
 *
 * @param others Stored memories that the call names besides.
 * @returns undefined where nothing is locked.
 */
export async function lockDatedAnew(
  tx: Tx,
  context: Context,
  dated: readonly Dated[],
  others: readonly string[] = [],
): Promise<ChainRows | undefined> {
  const moving = dated.filter(
    ({ row, fields }) =>
      FACT_TYPES.includes(row.type) && startOf(fields).getTime() !== startOf(row).getTime(),
  );
  if (moving.length === 0) return undefined;
  await lockChains(tx, context);
  const ids = [...others];
  for (const { row, fields } of moving) {
    const found = [
      ...(await rows<{ id: string }>(tx, followersOf(context, row.id, startOf(fields)))),
      ...(await rows<{ id: string }>(tx, leadingTo(context, row.id, startOf(fields)))),
    ];
    ids.push(row.id, ...found.map(({ id }) => id));
  }
  const { readable } = await viewOf(tx, context);
  const locked = await tx
    .select()
    .from(memories)
    .where(and(eq(memories.tenantId, context.tenantId), sql`${memories.id} = ANY(${uuids(ids)})`, readable))
    .orderBy(asc(memories.id))
    .for('update');
  return new Map(locked.map((row) => [row.id, row]));
}

/** What follows a memory, up to the first active one that begins after a moment. Index: the primary key. */
function followersOf({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  return sql`WITH RECURSIVE chain(id, next, link) AS (
      SELECT id, superseded_by, 0 FROM ${memories} WHERE ${tenant} AND id = ${id}::uuid
      UNION ALL SELECT newer.id, CASE WHEN newer.archived_at IS NOT NULL
        OR coalesce(newer.valid_from, newer.occurred_at) <= ${timestamptz(moment)} THEN newer.superseded_by END, link + 1
      FROM chain JOIN ${memories} AS newer ON newer.${tenant} AND newer.id = chain.next
      WHERE link < ${MOST_LINKS}::int
    ) SELECT id FROM chain`;
}

/** What a memory superseded, and what those superseded that are archived or begin after a moment. Index memories_superseded. */
function leadingTo({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  const start = sql`coalesce(older.valid_from, older.occurred_at)`;
  return sql`WITH RECURSIVE chain(id, start, archived_at) AS (
      SELECT older.id, ${start}, older.archived_at FROM ${memories} AS older
      WHERE older.${tenant} AND older.superseded_by = ${id}::uuid
      UNION SELECT older.id, ${start}, older.archived_at FROM chain JOIN ${memories} AS older
        ON older.${tenant} AND older.superseded_by = chain.id
      WHERE chain.archived_at IS NOT NULL OR chain.start > ${timestamptz(moment)}
    ) SELECT id FROM chain LIMIT ${MOST_LINKS}::int`;
}

/** Whether a memory supersedes none of those around it, and none supersedes it, as far as the caller may know. */
export function standsAlone(row: MemoryRow, around: ChainRows): boolean {
  return (
    row.supersededBy === null && ![...around.values()].some(({ supersededBy }) => supersededBy === row.id)
  );
}

/**
 * Where a memory stands in its chain once it is dated anew: before what begins later, behind what began before. Only links move
 * that the rules or the language model found. What somebody stated stays, and so does what the caller may not see.
 *
 * @param moved As it is after the call.
 * @param around From `lockDatedAnew`.
 */
export async function planMove(tx: Tx, context: Context, moved: MemoryRow, around: ChainRows): Promise<Move> {
  const chain = new Chain(moved, await withoutProtected(tx, context, around));
  const passed = chain.passed();
  const planned = passed.length > 0 ? chain.moveBehind(passed) : chain.moveBefore(chain.later());
  const said = around.get(moved.id)?.content === moved.content;
  // Where it says something else, the comparison tells what supersedes it.
  const found = said ? planned : { ...planned, own: undefined };
  const move = await withoutDecided(tx, context, moved, withoutAhead(context, moved, found, around));
  const links = new Map(move.others.map((one) => [one.row.id, one.link.supersededBy]));
  links.set(moved.id, (move.own ?? moved).supersededBy);
  return (await circlesWith(tx, context, links)).length > 0 ? STAYS : move;
}

/** The memories around one that is dated anew. */
class Chain {
  readonly #moved: MemoryRow;
  readonly #around: ChainRows;
  readonly #basis: 'rule' | 'model';

  constructor(moved: MemoryRow, around: ChainRows) {
    this.#moved = moved;
    this.#around = around;
    this.#basis = moved.supersededBasis === 'model' ? 'model' : 'rule';
  }

  /** What follows it now, but begins before it. */
  passed(): MemoryRow[] {
    const passed: MemoryRow[] = [];
    if (!isFoundLink(this.#moved)) return passed;
    for (
      let next = this.#follower(this.#moved);
      next && startOf(next) < startOf(this.#moved) && !passed.includes(next);
      next = this.#follower(next)
    )
      passed.push(next);
    return passed;
  }

  /** It takes the place of the last of those that it passed. What it had replaced is replaced by the first of them. */
  moveBehind(passed: readonly MemoryRow[]): Move {
    const [first, last] = [passed[0], passed.at(-1)];
    if (!first || !last) return STAYS;
    const isStated = last.supersededBy !== null && !isFoundLink(last);
    const others = this.#leadingTo(this.#moved)
      .filter((older) => startOf(older) <= startOf(first))
      .map((row) => relinked(row, first.id));
    return {
      own: foundLink(this.#next(last, startOf(this.#moved)), this.#basis),
      others: isStated ? others : [...others, { row: last, link: foundLink(this.#moved.id, this.#basis) }],
    };
  }

  /** What it has replaced, at once or over others, but begins after it. */
  later(): MemoryRow[] {
    const later = new Set<MemoryRow>();
    const collect = (row: MemoryRow) => {
      for (const older of this.#leadingTo(row)) {
        if (later.has(older) || startOf(older) <= startOf(this.#moved)) continue;
        later.add(older);
        collect(older);
      }
    };
    collect(this.#moved);
    return [...later];
  }

  /** The first of those that begin after it follows it. What they had replaced before it began, it replaces. */
  moveBefore(later: readonly MemoryRow[]): Move {
    const next = later.toSorted((one, other) => startOf(one).getTime() - startOf(other).getTime())[0];
    if (!next) return { own: this.#passedOver(), others: [] };
    const { id, supersededBy } = this.#moved;
    const isStated = supersededBy !== null && !isFoundLink(this.#moved);
    const follower = this.#follower(this.#moved);
    const freed = this.#leadingTo(this.#moved)
      .filter((row) => later.includes(row))
      .map((row) => {
        const isBefore = follower !== undefined && startOf(row) <= startOf(follower);
        return isBefore
          ? relinked(row, this.#next(this.#moved, startOf(row)))
          : { row, link: foundLink(null) };
      });
    const replaced = later
      .flatMap((row) => this.#leadingTo(row))
      .filter((row) => startOf(row) <= startOf(this.#moved))
      .map((row) => relinked(row, id));
    const basis = next.supersededBasis === 'model' ? 'model' : 'rule';
    const own = isStated ? undefined : foundLink(next.id, basis);
    return { own, others: [...freed, ...replaced] };
  }

  /** Its link without archived memories that begin before it: one that came back would replace what is later. undefined: stays. */
  #passedOver(): Link | undefined {
    if (!isFoundLink(this.#moved)) return undefined;
    const next = this.#next(this.#moved, startOf(this.#moved));
    return next === this.#moved.supersededBy ? undefined : foundLink(next, this.#basis);
  }

  /** What follows a memory, without archived ones that begin before a moment. */
  #next(row: MemoryRow, moment: Date): string | null {
    const passed = new Set<string>();
    for (let id = row.supersededBy; ; ) {
      const next = this.#around.get(id ?? '');
      if (!next?.archivedAt || startOf(next) >= moment) return id;
      if (passed.has(next.id)) return null;
      passed.add(next.id);
      id = next.supersededBy;
    }
  }

  /** The next active memory: archived ones are passed over, as by whoever reads the chain. */
  #follower(row: MemoryRow): MemoryRow | undefined {
    const passed = new Set<string>();
    let next = this.#around.get(row.supersededBy ?? '');
    for (; next?.archivedAt && !passed.has(next.id); next = this.#around.get(next.supersededBy ?? ''))
      passed.add(next.id);
    return next?.archivedAt ? undefined : next;
  }

  /** The active memories that one replaced by a link that nobody stated, at once or over archived ones. */
  #leadingTo({ id }: MemoryRow): MemoryRow[] {
    const leading = new Set<MemoryRow>();
    const collect = (followed: string) => {
      for (const row of this.#around.values()) {
        if (row.supersededBy !== followed || !isFoundLink(row) || leading.has(row)) continue;
        leading.add(row);
        if (row.archivedAt) collect(row.id);
      }
    };
    collect(id);
    return [...leading].filter(({ archivedAt }) => !archivedAt);
  }
}

/** A memory that another one supersedes from then on, for the reason that is there. */
function relinked(row: MemoryRow, supersededBy: string | null): Move['others'][number] {
  return { row, link: { supersededBy, supersededBasis: row.supersededBasis } };
}

/** Those that may be superseded without anybody's decision. */
async function withoutProtected(tx: Tx, context: Context, around: ChainRows): Promise<ChainRows> {
  const free = new Map<string, MemoryRow>();
  for (const [id, row] of around) {
    try {
      if (row.type === 'core') await context.changePolicy.assertApproved(tx, context, row, null);
      free.set(id, row);
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
    }
  }
  return free;
}

/** A fact that is only dated into the future takes the place of none of now. */
function withoutAhead({ now }: Context, moved: MemoryRow, { own, others }: Move, around: ChainRows): Move {
  const follower = around.get(own?.supersededBy ?? '');
  const isAhead = follower !== undefined && isDatedAhead(follower, now) && !isDatedAhead(moved, now);
  const takes = ({ row, link }: Move['others'][number]) =>
    link.supersededBy === moved.id && row.supersededBy !== moved.id;
  const isKept = (one: Move['others'][number]) =>
    !takes(one) || !isDatedAhead(moved, now) || isDatedAhead(one.row, now);
  return { own: isAhead ? foundLink(null) : own, others: others.filter(isKept) };
}

/** Links that somebody took back are not made again. */
async function withoutDecided(
  tx: Tx,
  context: Context,
  moved: MemoryRow,
  { own, others }: Move,
): Promise<Move> {
  const isDecided = await findDecided(tx, context, [moved, ...others.map(({ row }) => row)]);
  const isOpen = ({ row, link }: Move['others'][number]) => !isDecided(row.id, link.supersededBy);
  return {
    own: own && isDecided(moved.id, own.supersededBy) ? foundLink(null) : own,
    others: others.filter(isOpen),
  };
}

/**
 * Tells of which pairs somebody has stated that neither replaces the other: one of them superseded the other once, and that was
 * taken back. An undo, and what the rules changed, state nothing.
 */
export async function findDecided(
  tx: Tx,
  { tenantId }: Context,
  current: readonly MemoryRow[],
): Promise<(one: string, other: string | null) => boolean> {
  const { memoryId, version, supersededBy, supersededBasis, content, change, undone } = memoryVersions;
  const former = await tx
    .select({ id: memoryId, version, supersededBy, supersededBasis, content, change, undone })
    .from(memoryVersions)
    .where(
      and(
        eq(memoryVersions.tenantId, tenantId),
        sql`${memoryId} = ANY(${uuids(current.map(({ id }) => id))})`,
      ),
    )
    .orderBy(asc(memoryId), asc(version));
  const decided = new Set<string>();
  for (const row of current) {
    const versions = [...former.filter(({ id, undone }) => id === row.id && !undone), row];
    for (const [place, next] of versions.entries()) {
      const before = versions[place - 1];
      if (before?.supersededBy && takesBack(before, next)) decided.add(`${row.id} ${before.supersededBy}`);
    }
  }
  return (one, other) => decided.has(`${one} ${other}`) || decided.has(`${other} ${one}`);
}

type Version = Pick<MemoryRow, 'supersededBy' | 'supersededBasis' | 'content' | 'change'>;

/** Whether somebody stated by a version that nothing supersedes the memory. Versions of earlier releases say no reason. */
function takesBack(before: Version, { supersededBy, supersededBasis, content, change }: Version): boolean {
  if (supersededBy !== null || change === 'undone') return false;
  return supersededBasis === 'stated' || (supersededBasis === null && content === before.content);
}

/**
 * Moves the links of others in the chain of a memory that was dated anew.
 *
 * @returns those that it supersedes now, and did not before.
 */
export async function moveOthers(
  tx: Tx,
  context: Context,
  moved: MemoryRow,
  others: Move['others'],
  next: Pick<NextVersion, 'change' | 'source' | 'decided'>,
): Promise<Pick<Replacement, 'older' | 'reason'>[]> {
  const replaced: Pick<Replacement, 'older' | 'reason'>[] = [];
  for (const { row, link } of others) {
    const { supersededBy } = link;
    if (row.supersededBy === supersededBy) continue;
    await changeMemory(tx, context, row, { ...next, link });
    if (row.archivedAt !== null || supersededBy === null) continue;
    await emitSuperseded(tx, context, row.id, supersededBy);
    if (supersededBy === moved.id)
      replaced.push({ older: row, reason: reasonToReplace(row, moved) ?? IS_LATER });
  }
  return replaced;
}
