import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { texts, uuids } from '../../kernel/database/parameters.ts';
import { guardianEntries } from '../records/pending-change-schema.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import type { VisibilityLevel, VisibilitySettings } from './contract.ts';
import type { Rules } from './rules.ts';

/** What rules hang on, in a statement. */
interface RuledColumns {
  readonly type: SQLWrapper;
  readonly category: SQLWrapper;
  /** Whether it has one of these tags. */
  tagged(tags: SQL): SQL;
}

const arrayColumns = (type: SQLWrapper, category: SQLWrapper, tags: SQLWrapper): RuledColumns => ({
  type,
  category,
  tagged: (wanted) => sql`${tags} && ${wanted}`,
});
const jsonColumns = (state: SQLWrapper): RuledColumns => ({
  type: sql`(${state} ->> 'type')`,
  category: sql`(${state} ->> 'category')`,
  tagged: (wanted) => sql`coalesce(${state} -> 'tags' ?| ${wanted}, false)`,
});
const SOURCE = arrayColumns(sql`source.type`, sql`source.category`, sql`source.tags`);
const SOURCE_ROW = {
  tenantId: sql`source.tenant_id`,
  agentId: sql`source.agent_id`,
  memoryId: sql`source.id`,
};

const FORMER = arrayColumns(sql`former.type`, sql`former.category`, sql`former.tags`);

/** A row to which rules apply, in a statement. */
interface RuledRow {
  readonly tenantId: SQLWrapper;
  /** In a space, who wrote it. */
  readonly agentId: SQLWrapper;
  /** Of what has versions, by whom any of them may be. */
  readonly memoryId?: SQLWrapper;
}

/**
 * Condition on `memories` that a rule of one of these levels matches. A digest is withheld like the episodes it quotes.
 *
 * @returns undefined where there is no such rule.
 */
export function memoryRuled(rules: Rules, levels: readonly VisibilityLevel[]): SQL | undefined {
  const { type, category, tags, derivedFrom, tenantId, id, agentId } = memories;
  const own = anyRuled(
    rules,
    { tenantId, agentId, memoryId: id },
    (settings) => ruled(settings, levels, arrayColumns(type, category, tags)),
    (settings) => ruled(settings, levels, FORMER),
  );
  const source = anyRuled(
    rules,
    SOURCE_ROW,
    (settings) => ruled(settings, levels, SOURCE),
    (settings) => ruled(settings, levels, FORMER),
  );
  // What it quotes may have been erased.
  const quotes = anyRuled(rules, { tenantId, agentId: sql`NULL::uuid` }, (settings) =>
    levels.includes(settings.default) || namesAt(settings.types, levels).includes('episodic')
      ? sql`true`
      : undefined,
  );
  return or(
    own,
    quotes && sql`(cardinality(${derivedFrom}) > 0 AND ${quotes})`,
    source &&
      sql`(cardinality(${derivedFrom}) > 0 AND EXISTS (SELECT FROM ${memories} source
        WHERE source.tenant_id = ${tenantId} AND source.id = ANY(${derivedFrom}) AND ${source}))`,
  );
}

/** The same on `memory_versions`. */
export function versionRuled(rules: Rules, levels: readonly VisibilityLevel[]): SQL | undefined {
  const { type, category, tags, tenantId, agentId, memoryId } = memoryVersions;
  return anyRuled(rules, { tenantId, agentId, memoryId }, (settings) =>
    ruled(settings, levels, arrayColumns(type, category, tags)),
  );
}

/** The same on the states that `guardian_entries` hold. */
export function entryRuled(rules: Rules, levels: readonly VisibilityLevel[]): SQL | undefined {
  const { tenantId, agentId, current, proposed } = guardianEntries;
  return anyRuled(rules, { tenantId, agentId }, (settings) =>
    or(...[current, proposed].map((state) => ruled(settings, levels, jsonColumns(state)))),
  );
}

/**
 * A condition on rows by the settings that each is under.
 *
 * @param formerly The same on `former`, a version that the row had before.
 */
function anyRuled(
  rules: Rules,
  row: RuledRow,
  condition: (settings: VisibilitySettings) => SQL | undefined,
  formerly: typeof condition = () => undefined,
): SQL | undefined {
  const own = condition(rules.own);
  if (rules.spaceIds.length === 0) return own;
  const isShared = sql`${row.tenantId} = ANY(${uuids(rules.spaceIds)})`;
  const shared = rules.writers.map(({ agentId, settings }) => {
    const theirs = condition(settings);
    const left = formerly(settings);
    return or(theirs && sql`(${mayBeBy(agentId, row)} AND ${theirs})`, left && wasLeftBy(agentId, row, left));
  });
  const inSpaces = or(...shared);
  return or(own && sql`(NOT ${isShared} AND ${own})`, inSpaces && sql`(${isShared} AND ${inSpaces})`);
}

/** Whether an agent wrote any version of a row of a space, or it is not known who did: a later writer does not lift its rules. */
function mayBeBy(agent: string, { tenantId, agentId, memoryId }: RuledRow): SQL {
  const isLast = sql`${agentId} IS NULL OR ${agentId} = ${agent}::uuid`;
  if (memoryId === undefined) return sql`(${isLast})`;
  // Primary key of memory_versions.
  return sql`(${isLast} OR EXISTS (SELECT FROM ${memoryVersions} former
    WHERE former.tenant_id = ${tenantId} AND former.memory_id = ${memoryId} AND former.agent_id = ${agent}::uuid))`;
}

/** Whether an agent left a row of a space as one that its rules match: by other tags or another type nobody else lifts them. */
function wasLeftBy(agent: string, { tenantId, agentId, memoryId }: RuledRow, isRuled: SQL): SQL {
  const ofAgent = (version: string) => {
    const column = (name: string) => sql.raw(`${version}.${name}`);
    return sql`${column('tenant_id')} = ${tenantId} AND ${column('memory_id')} = ${memoryId} AND ${column('agent_id')} = ${agent}::uuid`;
  };
  // Primary key of memory_versions.
  return sql`(${agentId} IS DISTINCT FROM ${agent}::uuid AND EXISTS (SELECT FROM ${memoryVersions} former
    WHERE ${ofAgent('former')} AND ${isRuled} AND former.version =
      (SELECT max(last.version) FROM ${memoryVersions} last WHERE ${ofAgent('last')})))`;
}

function ruled(
  settings: VisibilitySettings,
  levels: readonly VisibilityLevel[],
  { type, category, tagged }: RuledColumns,
): SQL | undefined {
  if (levels.includes(settings.default)) return sql`true`;
  const [types, categories, tags] = [settings.types, settings.categories, settings.tags].map((rules) =>
    namesAt(rules, levels),
  );
  const oneOf = (column: SQLWrapper, names: readonly string[] = []) =>
    names.length === 0 ? undefined : sql`coalesce(${column}, '') = ANY(${texts(names)})`;
  return or(
    oneOf(type, types),
    oneOf(category, categories),
    tags && tags.length > 0 ? tagged(texts(tags)) : undefined,
  );
}

function namesAt(
  rules: Readonly<Record<string, VisibilityLevel | undefined>>,
  levels: readonly VisibilityLevel[],
): string[] {
  return Object.entries(rules).flatMap(([name, level]) => (level && levels.includes(level) ? [name] : []));
}
