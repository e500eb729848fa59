import { or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { texts } from '../../kernel/database/arrays.ts';
import { guardianEntries } from '../records/pending-change-schema.ts';
import { memories, memoryVersions } from '../records/schema.ts';
import type { VisibilityLevel, VisibilitySettings } from './contract.ts';

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

/**
 * Condition on `memories` that a rule of one of these levels matches. A digest is withheld like the episodes it quotes.
 *
 * @returns undefined where there is no such rule.
 */
export function memoryRuled(
  settings: VisibilitySettings,
  levels: readonly VisibilityLevel[],
): SQL | undefined {
  const { type, category, tags, derivedFrom, tenantId } = memories;
  const own = ruled(settings, levels, arrayColumns(type, category, tags));
  const source = ruled(settings, levels, SOURCE);
  const quotes = namesAt(settings.types, levels).includes('episodic');
  return or(
    own,
    quotes ? sql`cardinality(${derivedFrom}) > 0` : undefined,
    source &&
      sql`(cardinality(${derivedFrom}) > 0 AND EXISTS (SELECT FROM ${memories} source
        WHERE source.tenant_id = ${tenantId} AND source.id = ANY(${derivedFrom}) AND ${source}))`,
  );
}

/** The same on `memory_versions`. */
export function versionRuled(settings: VisibilitySettings, levels: readonly VisibilityLevel[]) {
  const { type, category, tags } = memoryVersions;
  return ruled(settings, levels, arrayColumns(type, category, tags));
}

/** The same on the states that `guardian_entries` hold. */
export function entryRuled(settings: VisibilitySettings, levels: readonly VisibilityLevel[]) {
  const states = [guardianEntries.current, guardianEntries.proposed];
  return or(...states.map((state) => ruled(settings, levels, jsonColumns(state))));
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
