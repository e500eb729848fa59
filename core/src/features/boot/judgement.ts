import { and, desc, type SQL, sql } from 'drizzle-orm';
import type { MemoryType, Source } from '../../kernel/contract/fields.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { writerColumn } from '../recall/memory-columns.ts';
import type { Memory } from '../records/contract.ts';
import { presentImportance, presentImportanceOf } from '../records/importance.ts';
import { isForeign, isOwn, memories, OWN_SOURCES } from '../records/schema.ts';
import type { TenantView } from '../visibility/view.ts';

/** Importance from which on a memory is important for good: age only orders important ones among each other. */
const IMPORTANT = 0.8;
/** What the importance of a memory counts that says what a source said that does not speak for the agent. */
const FOREIGN = 0.5;
/** What each change of a memory adds to its score, as a share of it, and how many changes count. */
const CHANGED = 0.04;
const MOST_CHANGES = 5;
/** How often the agent must have said the same for it to come with what is important. */
const OFTEN = 3;

/**
 * True of a memory that is important for good. What a source said that does not speak for the agent is not important by itself,
 * whoever tags, dates or restores it.
 *
 * @param contentSource Who said what it says.
 */
export function isImportant({ importance }: Memory, contentSource: Source): boolean {
  return importance >= IMPORTANT && OWN_SOURCES.includes(contentSource);
}

/** How much an important memory matters by now: its importance, which fades with age and grows with use. */
export function scoreOf(memory: Memory, now: Date): number {
  const { type, importance, occurred_at, version, superseded_by } = memory;
  const present = presentImportance({ type, importance, time: Date.parse(occurred_at) }, now);
  const changes = version - 1 - (superseded_by === undefined ? 0 : 1);
  return present * (1 + CHANGED * Math.min(changes, MOST_CHANGES));
}

const important = sql`(${memories.importance} >= ${IMPORTANT}::float8 AND ${isOwn})`;

/** True of what the agent has said again and again. */
export const isRepeated = sql`(${isOwn}
  AND ${memories.confirmations} + count(*) OVER (PARTITION BY ${memories.fingerprint}) >= ${OFTEN}::int)`;

/** The score in the database, of memories that are not core and seldom change. */
export function scoreColumn(now: Date): SQL {
  return sql`${presentImportanceOf(now)} * CASE WHEN ${isOwn} THEN 1::float8 ELSE ${FOREIGN}::float8 END`;
}

/**
 * The same of memories that are changed as they are used. That another took the place of one is no use of it: of one that still
 * holds for who reads, it would tell that there is another, which is withheld from them.
 */
export function scoreByUse(now: Date): SQL {
  const changes = sql`${memories.version} - 1 - (${memories.supersededBy} IS NOT NULL)::int`;
  return sql`${scoreColumn(now)} * (1::float8 + ${CHANGED}::float8 * least(${changes}, ${MOST_CHANGES}::int))`;
}

/** Orders important memories before the others, and both by the given order. */
export function importantFirst(order: readonly SQL[]): SQL[] {
  return [desc(important), ...order];
}

/**
 * The same, and the others so that their writers take turns, each in the given order: a flood from one writer leaves room
 * for the others. With one writer, the order is the given one.
 *
 * @param alsoFirst Condition on memories that come with the important ones.
 */
export function inTurns(order: readonly SQL[], alsoFirst = sql`false`): SQL[] {
  const best = sql.join([...order], sql`, `);
  const turn = sql`row_number() OVER (PARTITION BY ${important}, ${writerColumn} ORDER BY ${best})`;
  return [sql`CASE WHEN ${important} OR ${alsoFirst} THEN 0 ELSE ${turn} END`, ...order];
}

/**
 * Finds the ids of the memories of a type that may be among the best: the most important of the agent's own and of others, the
 * newest, and what was said again, so many of each. Any other is less important and older than all of them, and need not be
 * looked at. Indexes memories_importance, memories_type_time, memories_confirmed.
 */
export async function findContenders(
  tx: Tx,
  { tenantId, view }: TenantView,
  { type, depth }: { readonly type: MemoryType; readonly depth: number },
): Promise<string[]> {
  const known = and(
    sql`tenant_id = ${tenantId}::uuid AND type = ${type} AND archived_at IS NULL`,
    view.known,
  );
  const importance = sql`importance DESC, occurred_at DESC`;
  const first = (condition: SQL, order: SQL) =>
    sql`(SELECT id FROM ${memories} WHERE ${known} AND ${condition} ORDER BY ${order} LIMIT ${depth})`;
  const found = await rows<{ id: string }>(
    tx,
    sql`${first(isOwn, importance)} UNION ${first(isForeign, importance)}
      UNION ${first(sql`true`, sql`occurred_at DESC, id DESC`)}
      UNION ${first(sql`confirmations > 1`, sql`last_confirmed_at DESC`)}`,
  );
  return found.map(({ id }) => id);
}
