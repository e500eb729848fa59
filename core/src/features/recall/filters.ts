import { isDeepStrictEqual } from 'node:util';
import { and, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Metadata } from '../../kernel/contract/fields.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { startOf } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { beginsBy, endsAfter, hasMetadata } from '../records/validity.ts';
import type { MemoryView } from './candidates.ts';
import type { recallRoutes } from './contract.ts';

/** The filters of a recall or query. */
export interface Filters
  extends Pick<
    ParsedOf<typeof recallRoutes.recall>,
    'types' | 'category' | 'tags' | 'since' | 'until' | 'session_id' | 'metadata' | 'as_of'
  > {
  /** Only memories that were then what they are now. */
  readonly unchangedSince?: Date;
}

/** Whether any filter is set. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Whether covered digests take part. They repeat their episodes, so they take part only when episodes are filtered out. */
export function includesCoveredDigests({ types }: Filters): boolean {
  return types !== undefined && !types.includes('episodic');
}

/** Condition on `memory_id`, starting with `AND`, that leaves covered digests out. The clause `echo` contains their ids. */
export function withoutCoveredDigests(filters: Filters): SQL {
  return includesCoveredDigests(filters) ? sql`` : sql`AND memory_id NOT IN (SELECT id FROM echo)`;
}

/** Condition on `memory_id` that leaves out what has expired and is not archived yet. The clause `expired` contains their ids. */
export const WITHOUT_EXPIRED = sql`AND memory_id NOT IN (SELECT id FROM expired)`;

/** Condition that leaves near-copies out. The clause `copy` contains their ids. */
export const WITHOUT_COPIES = sql`AND memory_id NOT IN (SELECT id FROM copy)`;

/**
 * Condition on `memories`: active ones of the tenant that pass every filter.
 *
 * @param visible Which of them the caller may find: a condition of their `View`, and that they have not expired.
 */
export function matchesFilters(tenantId: string | SQL, filters: Filters, visible: SQL | undefined): SQL {
  const { types, category, tags, since, until, session_id, metadata, as_of, unchangedSince } = filters;
  const condition = and(
    eq(memories.tenantId, tenantId),
    isNull(memories.archivedAt),
    types && inArray(memories.type, types),
    category && eq(memories.category, category),
    tags && sql`${memories.tags} @> ${texts(tags)}`,
    since && gte(memories.occurredAt, since),
    until && lte(memories.occurredAt, until),
    session_id === undefined ? undefined : eq(memories.sessionId, session_id),
    metadata && hasMetadata(metadata),
    as_of && beginsBy(as_of),
    as_of && endsAfter(as_of),
    unchangedSince && lte(memories.updatedAt, unchangedSince),
    visible,
  );
  return condition ?? sql`true`;
}

/** The same of a memory that was loaded, but for its tenant, whether it has expired, when it holds, and since when it is as it is. */
export function passesFilters(memory: MemoryView, filters: Omit<Filters, 'as_of'>): boolean {
  const { types, category, tags, since, until, session_id, metadata } = filters;
  const { occurredAt } = memory;
  return (
    (types === undefined || types.includes(memory.type)) &&
    (category === undefined || memory.category === category) &&
    (tags === undefined || tags.every((tag) => memory.tags.includes(tag))) &&
    (since === undefined || occurredAt >= since) &&
    (until === undefined || occurredAt <= until) &&
    (session_id === undefined || memory.sessionId === session_id) &&
    (metadata === undefined || hasValues(memory.metadata, metadata))
  );
}

/** Whether what a memory says holds at a moment: the interval contains its beginning, and not its end. */
export function holdsAt(memory: Pick<MemoryView, 'validFrom' | 'validTo' | 'occurredAt'>, at: Date): boolean {
  return startOf(memory) <= at && (memory.validTo === null || memory.validTo > at);
}

/** Whether metadata has these values. */
export function hasValues(metadata: Metadata | null, wanted: Metadata): boolean {
  return Object.entries(wanted).every(
    ([name, value]) => metadata && Object.hasOwn(metadata, name) && isDeepStrictEqual(metadata[name], value),
  );
}
