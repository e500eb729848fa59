import { and, eq, gte, inArray, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { Parsed } from '../contract/index.ts';
import { texts } from '../database/arrays.ts';
import { memories } from '../memory/schema.ts';

/** What a recall or query restricts itself to. */
export type Filters = Pick<
  Parsed<'recall'>,
  'types' | 'category' | 'tags' | 'since' | 'until' | 'session_id'
>;

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
