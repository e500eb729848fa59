import { getTableColumns, type SQL, sql } from 'drizzle-orm';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { memories, memoryVersions } from './schema.ts';
import { isUnexpired } from './validity.ts';

/** Whose memories, as they were known when. */
interface KnownAt {
  readonly tenantId: string;
  readonly at: Date;
  /** What has expired by now is told of no time. */
  readonly now: Date;
  /** Condition on `memories` as they are now; undefined for all. */
  readonly seen: SQL | undefined;
}

/** Columns that versions do not keep: what they hold now may be of later than the moment asked for. */
const UNCONFIRMED: Readonly<Record<string, SQL>> = {
  confirmations: sql`0`,
  last_confirmed_at: sql`NULL::timestamptz`,
};

/**
 * A query whose rows are the memories of a tenant as the store knew them at a moment, archived ones included, in the columns
 * of `memories`. As a clause of that name it stands before the table, so that every condition on `memories` holds for it.
 *
 * What was erased since is in no state, nor are versions that an undo took back.
 */
export function memoriesKnownAt({ tenantId, at, now, seen }: KnownAt): SQL {
  const own = sql`memories.tenant_id = ${tenantId}::uuid AND ${isUnexpired(now)}
    AND memories.created_at <= ${timestamptz(at)} ${seen ? sql`AND ${seen}` : sql``}`;
  return sql`SELECT DISTINCT ON (id) * FROM (
      SELECT ${columnsOf(false)} FROM memories WHERE ${own} AND memories.updated_at <= ${timestamptz(at)}
      UNION ALL SELECT ${columnsOf(true)} FROM memories
        JOIN memory_versions ON memory_versions.tenant_id = memories.tenant_id AND memory_versions.memory_id = memories.id
        WHERE ${own} AND memory_versions.updated_at <= ${timestamptz(at)} AND NOT memory_versions.undone
    ) AS state ORDER BY id, version DESC`;
}

/** The columns of `memories` in their order, those of a former version from there. */
function columnsOf(former: boolean): SQL {
  const versioned = new Set(Object.values(getTableColumns(memoryVersions)).map(({ name }) => name));
  const columns = Object.values(getTableColumns(memories)).map(({ name }) => {
    const table = former && name !== 'tenant_id' && versioned.has(name) ? 'memory_versions' : 'memories';
    return sql`${UNCONFIRMED[name] ?? sql`${sql.identifier(table)}.${sql.identifier(name)}`} AS ${sql.identifier(name)}`;
  });
  return sql.join(columns, sql`, `);
}
