import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { lockName } from '../../kernel/database/lock-name.ts';
import { memories } from '../records/schema.ts';

/**
 * Lets one call at a time link memories of a tenant that are there: two at once could close a circle of memories that supersede each
 * other, of which none would hold. Comes before any other lock.
 */
export function lockChains(tx: Tx, { tenantId }: Context): Promise<void> {
  return lockName(tx, tenantId, 'supersedes');
}

/** Ids of a memory and of those that supersede it, one after the other. Index: the primary key. */
export async function chainFrom(
  tx: Tx,
  { tenantId }: Context,
  id: string | null,
): Promise<ReadonlySet<string>> {
  if (id === null) return new Set();
  const chain = await rows<{ id: string }>(
    tx,
    // A union without duplicates: it also ends where there is a circle.
    sql`WITH RECURSIVE chain(id) AS (
        SELECT ${id}::uuid
        UNION SELECT superseded_by FROM chain JOIN ${memories} AS memory USING (id)
        WHERE tenant_id = ${tenantId}::uuid AND superseded_by IS NOT NULL
      ) SELECT id FROM chain`,
  );
  return new Set(chain.map((link) => link.id));
}

/**
 * The first memory of a chain that is active, from one of them on: what is archived ends the chain for a recall, and nothing leads on
 * from it once it is erased. Where none is active, the one that was asked for.
 */
export async function firstActive(tx: Tx, { tenantId }: Context, id: string | null): Promise<string | null> {
  if (id === null) return null;
  const [active] = await rows<{ id: string }>(
    tx,
    sql`WITH RECURSIVE chain(id, archived_at, superseded_by) AS (
        SELECT id, archived_at, superseded_by FROM ${memories} WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid
        UNION SELECT newer.id, newer.archived_at, newer.superseded_by FROM chain JOIN ${memories} AS newer
          ON newer.tenant_id = ${tenantId}::uuid AND newer.id = chain.superseded_by
        WHERE chain.archived_at IS NOT NULL
      ) SELECT id FROM chain WHERE archived_at IS NULL`,
  );
  return active?.id ?? id;
}
