import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { memories } from '../records/schema.ts';

/** Condition on `memories`: active ones of the tenant that were stored or changed since a time. Index memories_updated. */
export function touchedSince(tenantId: string, since: Date): SQL {
  const condition = and(
    eq(memories.tenantId, tenantId),
    isNull(memories.archivedAt),
    sql`${memories.updatedAt} >= ${timestamptz(since)}`,
  );
  return condition ?? sql`true`;
}
