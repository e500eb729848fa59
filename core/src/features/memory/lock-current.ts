import { type SQL, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { startOf } from '../records/row.ts';
import { type MemoryRow, memories } from '../records/schema.ts';
import type { FactComparison } from '../supersession/compare-fact.ts';
import { MOST_LINKS } from './chain.ts';
import { OF_THE_CALL } from './facts-by-term.ts';
import type { Related } from './insert.ts';
import { lockActive } from './supersede.ts';

/** Comparisons that one transaction makes anew at most. */
const MOST_ANEW = 5;

/** How a memory that is to be stored or changed was compared with stored ones, and which its author names. */
interface Compared {
  readonly draft: { readonly supersedes?: readonly string[] | undefined };
  readonly comparison?: FactComparison<Related> | undefined;
}
type AnyItems = ReadonlyMap<MemoryRow, Compared>;

/** Memories that are to be stored or changed, and the stored ones that bear on them, which are locked. */
interface Locked<Items extends AnyItems> {
  readonly items: Items;
  /** See `lastInForce`. */
  readonly inForce: ReadonlyMap<MemoryRow, string>;
  readonly locked: ReadonlyMap<string, MemoryRow>;
}

/**
 * Locks the stored memories that others were compared with or name, and compares anew where these have changed meanwhile: by another
 * process, which stores what takes the place of the same ones, or by a call that archives, restores or changes them. Who waited for
 * the lock sees what came before. Who has to compare too often goes on with what it has; the next reflection finds the rest.
 *
 * @param compared New memories, or stored ones as they are before they change; their comparisons are of what they become.
 * @param compareAnew Compares with what is stored now, in the transaction.
 */
export async function lockCurrent<Items extends AnyItems>(
  tx: Tx,
  context: Context,
  compared: Items,
  compareAnew: (items: Items) => Promise<Items>,
): Promise<Locked<Items>> {
  let current = await lockRelated(tx, context, compared);
  for (let anew = 0; anew < MOST_ANEW && (await isOutdated(tx, context, current)); anew += 1) {
    const items = await compareAnew(current.items);
    const isSame = nameKin(items) === nameKin(current.items);
    current = await lockRelated(tx, context, items);
    // A link to what is archived, or is none of the same fact, looks outdated each time.
    if (isSame) break;
  }
  return current;
}

async function lockRelated<Items extends AnyItems>(
  tx: Tx,
  context: Context,
  items: Items,
): Promise<Locked<Items>> {
  const inForce = await lastInForce(tx, context, items);
  const locked = await lockKin(tx, context, [...items.values()], [...inForce.values()]);
  return { items, inForce, locked };
}

/**
 * Whether a stored memory has another version or successor than when it was compared; what supersedes the memory itself, or one that it
 * names, was not compared; or a chain ends elsewhere.
 */
async function isOutdated(
  tx: Tx,
  context: Context,
  { items, inForce, locked }: Locked<AnyItems>,
): Promise<boolean> {
  for (const [row, { draft, comparison }] of items) {
    const kin = storedKin(comparison);
    if (kin.some((other) => hasChanged(other, locked.get(other.id)))) return true;
    const compared = new Set(kin.map(({ id }) => id));
    const named = (draft.supersedes ?? []).flatMap((id) => locked.get(id) ?? []);
    if ([row, ...named].some(({ supersededBy: by }) => by !== null && !compared.has(by))) return true;
  }
  if (inForce.size === 0) return false;
  const current = await lastInForce(tx, context, items);
  return [...items.keys()].some((row) => current.get(row) !== inForce.get(row));
}

function hasChanged(other: StoredRelated, row: MemoryRow | undefined): boolean {
  if (row?.version !== other.version) return true;
  return other.supersededBy !== OF_THE_CALL && other.supersededBy !== row.supersededBy;
}

/** Tells two comparisons of the same memories apart by what they found. */
function nameKin(items: AnyItems): string {
  const kin = [...items.values()].map(({ comparison }) =>
    storedKin(comparison).map(({ id, version, supersededBy }) => [id, version, supersededBy]),
  );
  return JSON.stringify(kin);
}

/**
 * By new fact, the id of the stored fact of its chain that holds when the new one begins. Looked up where the comparison found only
 * facts of the chain that had ended, or that begin later: a chain may be longer than the related memories that it reads.
 */
async function lastInForce(
  tx: Tx,
  context: Context,
  items: AnyItems,
): Promise<ReadonlyMap<MemoryRow, string>> {
  const found = new Map<MemoryRow, string>();
  for (const [row, { comparison }] of items) {
    const [former] = comparison?.supersedes ?? [];
    const later = comparison?.supersededBy?.other;
    const chain =
      former === undefined
        ? later && 'id' in later && beforeInChain(context, later.id, startOf(row))
        : isEndedBefore(former.other, startOf(row)) && afterInChain(context, former.other.id, startOf(row));
    if (!chain) continue;
    const [last] = await rows<{ id: string }>(tx, chain);
    if (last && last.id !== row.id) found.set(row, last.id);
  }
  return found;
}

/** Whether a stored fact had ended before a moment by another stored one. */
function isEndedBefore(other: Related, start: Date): other is Extract<Related, { readonly id: string }> {
  if (!('id' in other) || other.supersededBy === OF_THE_CALL) return false;
  return other.supersededFrom !== null && other.supersededFrom <= start;
}

/** The last active fact of a chain, from one of them on, that begins by a moment. Index: the primary key. */
function afterInChain({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  return sql`WITH RECURSIVE chain(id, next, archived_at, link) AS (
      SELECT id, superseded_by, archived_at, 0 FROM ${memories} WHERE ${tenant} AND id = ${id}::uuid
      UNION ALL SELECT newer.id, newer.superseded_by, newer.archived_at, link + 1
      FROM chain CROSS JOIN LATERAL (SELECT * FROM ${memories} WHERE ${tenant} AND id = chain.next
        AND (archived_at IS NOT NULL OR coalesce(valid_from, occurred_at) <= ${timestamptz(moment)})) AS newer
      WHERE link < ${MOST_LINKS}::int
    ) SELECT id FROM chain WHERE archived_at IS NULL ORDER BY link DESC LIMIT 1`;
}

/** The last active fact of a chain, before one of them, that begins by a moment. Index memories_superseded. */
function beforeInChain({ tenantId }: Context, id: string, moment: Date): SQL {
  const tenant = sql`tenant_id = ${tenantId}::uuid`;
  const began = sql`coalesce(valid_from, occurred_at)`;
  const at = timestamptz(moment);
  return sql`WITH RECURSIVE chain(id, began, archived_at, link) AS (
      SELECT id, ${began}, archived_at, 1 FROM ${memories} WHERE ${tenant} AND superseded_by = ${id}::uuid
      UNION ALL SELECT older.id, older.began, older.archived_at, link + 1
      FROM chain CROSS JOIN LATERAL (SELECT id, ${began} AS began, archived_at FROM ${memories}
        WHERE ${tenant} AND superseded_by = chain.id) AS older
      WHERE (chain.archived_at IS NOT NULL OR chain.began > ${at}) AND link < ${MOST_LINKS}::int
    ) SELECT id FROM chain WHERE archived_at IS NULL AND began <= ${at} ORDER BY began DESC LIMIT 1`;
}

type StoredRelated = Extract<Related, { readonly id: string }>;

/** The stored memories that a comparison is about. */
function storedKin(comparison: FactComparison<Related> | undefined): StoredRelated[] {
  if (!comparison) return [];
  const { same, supersedes, supersededBy, returned, released } = comparison;
  const reasoned = [...supersedes, ...(supersededBy ? [supersededBy] : [])].map(({ other }) => other);
  const pairs = returned.flatMap(({ older, newer }) => [older, newer]);
  return [...(same ? [same] : []), ...reasoned, ...released, ...pairs].filter((one) => 'id' in one);
}

/** Locks the stored memories that new ones may replace or say again, in the order of their ids. */
async function lockKin(
  tx: Tx,
  context: Context,
  items: readonly Compared[],
  more: readonly string[],
): Promise<ReadonlyMap<string, MemoryRow>> {
  const kin = items.flatMap(({ draft, comparison }) => [
    ...storedKin(comparison).map(({ id }) => id),
    ...(draft.supersedes ?? []),
  ]);
  return lockActive(tx, context, [...kin, ...more]);
}
