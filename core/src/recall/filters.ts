import { and, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Parsed } from '../contract/index.ts';
import { texts } from '../database/arrays.ts';
import { memories } from '../memory/schema.ts';

/** What a recall or query restricts itself to. */
export type Filters = Pick<
  Parsed<'recall'>,
  'types' | 'category' | 'tags' | 'since' | 'until' | 'session_id'
>;

/** Whether anything is left out. */
export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** Digests whose episodes stand beside them take part only where episodes do not: they would say the same twice. */
export function echoesCount({ types }: Filters): boolean {
  return types !== undefined && !types.includes('episodic');
}

/** Keeps those digests out, as a condition on `memory_id` from `AND` on; `echo` holds their ids. */
export function withoutEchoes(filters: Filters): SQL {
  return echoesCount(filters) ? sql`` : sql`AND memory_id NOT IN (SELECT id FROM echo)`;
}

/** Active memories of the tenant that pass every given filter, as a condition on `memories`. */
export function matches(tenantId: string, filters: Filters): SQL {
  const { types, category, tags, since, until, session_id } = filters;
  const condition = and(
    eq(memories.tenantId, tenantId),
    isNull(memories.archivedAt),
    types && inArray(memories.type, types),
    category && eq(memories.category, category),
    tags && sql`${memories.tags} @> ${texts(tags)}`,
    since && gte(memories.occurredAt, since),
    until && lte(memories.occurredAt, until),
    session_id === undefined ? undefined : eq(memories.sessionId, session_id),
  );
  return condition ?? sql`true`;
}
