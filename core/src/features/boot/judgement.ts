import { desc, type SQL, sql } from 'drizzle-orm';
import type { Source } from '../../kernel/contract/fields.ts';
import { writerColumn } from '../recall/find-candidates.ts';
import type { Memory } from '../records/contract.ts';
import { presentImportance, presentImportanceOf } from '../records/importance.ts';
import { memories } from '../records/schema.ts';

/** Importance from which on a memory is important for good: age only orders important ones among each other. */
const IMPORTANT = 0.8;
/** Sources that speak for the agent. The others may quote anybody, so nothing they store is important by itself. */
const OWN: readonly Source[] = ['agent', 'human'];
/** What the importance of a memory from another source counts. */
const FOREIGN = 0.5;
/** What each change of a memory adds to its score, as a share of it, and how many changes count. */
const CHANGED = 0.04;
const MOST_CHANGES = 5;
/** How often the agent must have said the same for it to come with what is important. */
const OFTEN = 3;

/** True of a memory that is important for good. */
export function isImportant({ importance, source }: Memory): boolean {
  return importance >= IMPORTANT && OWN.includes(source.kind);
}

/** How much an important memory matters by now: its importance, which fades with age and grows with use. */
export function scoreOf(memory: Memory, now: Date): number {
  const { type, importance, occurred_at, version } = memory;
  const present = presentImportance({ type, importance, time: Date.parse(occurred_at) }, now);
  return present * (1 + CHANGED * Math.min(version - 1, MOST_CHANGES));
}

const own = sql`${memories.source} IN (${sql.join(
  OWN.map((source) => sql`${source}`),
  sql`, `,
)})`;
const important = sql`(${memories.importance} >= ${IMPORTANT}::float8 AND ${own})`;

/** True of what the agent has said again and again. */
export const isRepeated = sql`(${own}
  AND ${memories.confirmations} + count(*) OVER (PARTITION BY ${memories.fingerprint}) >= ${OFTEN}::int)`;

/** The score in the database, of memories that are not core and seldom change. */
export function scoreColumn(now: Date): SQL {
  return sql`${presentImportanceOf(now)} * CASE WHEN ${own} THEN 1::float8 ELSE ${FOREIGN}::float8 END`;
}

/** The same of memories that are changed as they are used. */
export function scoreByUse(now: Date): SQL {
  return sql`${scoreColumn(now)} * (1::float8 + ${CHANGED}::float8 * least(${memories.version} - 1, ${MOST_CHANGES}::int))`;
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
