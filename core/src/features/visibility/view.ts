import { and, not, type SQL, sql } from 'drizzle-orm';
import type { Actor } from '../../kernel/context/call.ts';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { memoriesKnownAt } from '../records/known-at.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import { isUnexpired } from '../records/validity.ts';
import { memoryRuled, versionRuled } from './condition.ts';
import type { VisibilityLevel } from './contract.ts';
import { strictest } from './level.ts';
import {
  loadRules,
  loadRulesEverywhere,
  NO_RULES,
  type RuleReader,
  type Rules,
  withholdNothing,
} from './rules.ts';

/** What a caller may see of a tenant's memories. Every statement that reads memories for a caller takes its conditions. */
export interface View {
  readonly rules: Rules;
  /** True where nothing is withheld: the only condition then is that memories have not expired. */
  readonly isFull: boolean;
  /** Condition on `memories` that leaves out expired ones, and hidden ones, of whose existence the caller must not know. */
  readonly known: SQL | undefined;
  /** Condition that leaves out hidden and redacted ones: for searches by what redaction withholds, where being found tells it. */
  readonly readable: SQL | undefined;
}

/** The view of the agent, and of a human from whom it withholds nothing. */
const FULL_VIEW: View = {
  rules: NO_RULES,
  isFull: true,
  known: undefined,
  readable: undefined,
};

const HIDDEN: readonly VisibilityLevel[] = ['hidden'];
const WITHHELD: readonly VisibilityLevel[] = ['hidden', 'redacted'];

/** Whose memories, and which of them the caller may know of. */
export interface TenantView {
  readonly tenantId: string;
  readonly view: View;
}

export type Reader = RuleReader & Pick<Context, 'actor' | 'tenantId' | 'now'>;

export function humanView(rules: Rules): View {
  if (withholdNothing(rules)) return FULL_VIEW;
  const unless = (condition: SQL | undefined) => condition && not(condition);
  return {
    rules,
    isFull: false,
    known: unless(memoryRuled(rules, HIDDEN)),
    readable: unless(memoryRuled(rules, WITHHELD)),
  };
}

/** What this caller may see, by the settings in force in this transaction. */
export async function viewOf(tx: Tx, reader: Omit<Reader, 'tenantId'>): Promise<View> {
  const view = seesAll(reader.actor) ? FULL_VIEW : humanView(await loadRules(tx, reader));
  return unexpired(view, reader.now);
}

/** The same for what tells of all that the agent reads, such as logs: of its own, and of the spaces it is in. */
export async function viewOfAll(tx: Tx, { actor, agentId, now }: Omit<Reader, 'tenantId'>): Promise<View> {
  const view = seesAll(actor) ? FULL_VIEW : humanView(await loadRulesEverywhere(tx, agentId));
  return unexpired(view, now);
}

/** The same outside of a transaction; of an agent the database is not asked. */
export async function currentView(context: Omit<Reader, 'tenantId'> & Pick<Context, 'read'>): Promise<View> {
  if (seesAll(context.actor)) return unexpired(FULL_VIEW, context.now);
  return context.read((tx) => viewOf(tx, context));
}

/** What has expired is there for nobody. The archive has its own rules. The condition is made when it is read: writes read none. */
function unexpired(view: View, now: Date): View {
  return {
    ...view,
    get known() {
      const lasting = sql`(${memories.archivedAt} IS NOT NULL OR ${isUnexpired(now)})`;
      return view.known ? sql`(${view.known} AND ${lasting})` : lasting;
    },
  };
}

function seesAll({ source, forHuman = false }: Actor): boolean {
  return source !== 'human' && !forHuman;
}

/** Tells the levels of some memories; where anything is withheld, those that do not exist (any more) count as `missing`. */
export async function levelsOf(
  tx: Tx,
  { tenantId, view }: TenantView,
  ids: readonly string[],
  missing: VisibilityLevel = 'hidden',
): Promise<(id: string) => VisibilityLevel> {
  if (view.isFull) return () => 'full';
  const levels = new Map<string, VisibilityLevel>();
  if (ids.length > 0) {
    const found = await rows<{ id: string; level: VisibilityLevel }>(
      tx,
      sql`SELECT id, ${levelColumn(view.known, view.readable)} AS level FROM ${memories}
          WHERE ${memories.tenantId} = ${tenantId}::uuid AND ${memories.id} = ANY(${uuids([...new Set(ids)])})`,
    );
    for (const { id, level } of found) levels.set(id, level);
  }
  return (id) => levels.get(id) ?? missing;
}

/** The same by the strictest of all states that each memory ever had: what its former versions may show. */
export async function historyLevelsOf(
  tx: Tx,
  { tenantId, view }: TenantView,
  ids: readonly string[],
): Promise<(id: string) => VisibilityLevel> {
  const current = await levelsOf(tx, { tenantId, view }, ids);
  if (view.isFull || ids.length === 0) return current;
  const [hidden, withheld] = [HIDDEN, WITHHELD].map((levels) => versionRuled(view.rules, levels));
  const found = await rows<{ id: string; level: VisibilityLevel }>(
    tx,
    sql`SELECT DISTINCT memory_id AS id, ${levelColumn(hidden && not(hidden), withheld && not(withheld))} AS level
        FROM ${memoryVersions}
        WHERE ${memoryVersions.tenantId} = ${tenantId}::uuid AND ${memoryVersions.memoryId} = ANY(${uuids([...new Set(ids)])})`,
  );
  const former = new Map<string, VisibilityLevel>();
  for (const { id, level } of found) former.set(id, strictest([level, former.get(id) ?? level]));
  return (id) => strictest([current(id), former.get(id) ?? 'full']);
}

/**
 * Condition on `memories` that the caller may read every state that each ever had: what was withheld once, or is now, is told
 * of no time.
 *
 * @returns undefined where nothing is withheld.
 */
export function readableThroughout(tenantId: string, { isFull, readable, rules }: View): SQL | undefined {
  if (isFull) return undefined;
  const withheld = versionRuled(rules, WITHHELD);
  const former =
    withheld &&
    sql`${memories.id} NOT IN (SELECT ${memoryVersions.memoryId} FROM ${memoryVersions}
      WHERE ${memoryVersions.tenantId} = ${tenantId}::uuid AND ${withheld})`;
  return and(readable, former);
}

function levelColumn(known: SQL | undefined, readable: SQL | undefined): SQL {
  return sql`CASE WHEN NOT ${known ?? sql`true`} THEN 'hidden' WHEN NOT ${readable ?? sql`true`} THEN 'redacted' ELSE 'full' END`;
}

/**
 * A transaction in whose selects `memories` are those that were known at a moment, of those that the caller may read in all
 * their versions. What is executed as text reads those of now. Without a moment, the transaction itself.
 */
export function readingAt(tx: Tx, { tenantId, now }: Context, view: View, at: Date | undefined): Tx {
  if (at === undefined) return tx;
  const known = memoriesKnownAt({ tenantId, at, now, seen: readableThroughout(tenantId, view) });
  return Object.assign(Object.create(tx) as Tx, tx.with(tx.$with('memories', {}).as(known)));
}
