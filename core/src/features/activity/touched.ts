import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { SOURCES } from '../../kernel/contract/fields.ts';
import { texts } from '../../kernel/database/arrays.ts';
import { memories } from '../records/schema.ts';
import { timestamptz } from '../records/validity.ts';

/**
 * Condition on `memories`: active ones of the tenant that were stored or changed since a time. It names every source, so that
 * the index memories_source finds them, and a large tenant is not read whole.
 */
export function touchedSince(tenantId: string, since: Date): SQL {
  const condition = and(
    eq(memories.tenantId, tenantId),
    isNull(memories.archivedAt),
    sql`${memories.source} = ANY(${texts(SOURCES)})`,
    sql`${memories.updatedAt} >= ${timestamptz(since)}`,
  );
  return condition ?? sql`true`;
}
