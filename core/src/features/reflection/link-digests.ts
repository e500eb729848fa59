import { sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { uuids } from '../../kernel/database/parameters.ts';
import { type MemoryRow, memories } from '../records/schema.ts';

/**
 * Finds the episodes of digests that came back from an export, so that they go into no second one.
 *
 * @returns the ids of the digests whose episodes stay beside them.
 */
export async function linkDigests(
  tx: Tx,
  { tenantId }: Context,
  restored: readonly MemoryRow[],
): Promise<ReadonlySet<string>> {
  const digests = restored.filter(({ derivedFrom }) => derivedFrom.length > 0).map(({ id }) => id);
  if (digests.length === 0) return new Set();
  await tx.execute(sql`
    UPDATE ${memories} episode SET digest_id = digest.id FROM ${memories} digest
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})
      AND episode.tenant_id = digest.tenant_id AND episode.id = ANY(digest.derived_from)
      AND episode.type = 'episodic' AND episode.digest_id IS NULL`);
  const linked = await rows<{ id: string; echoes: boolean }>(
    tx,
    sql`UPDATE ${memories} digest SET echoes = EXISTS (
      SELECT FROM ${memories} episode WHERE episode.tenant_id = digest.tenant_id
        AND episode.id = ANY(digest.derived_from) AND episode.archived_at IS NULL)
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})
    RETURNING digest.id, digest.echoes`,
  );
  return new Set(linked.filter(({ echoes }) => echoes).map(({ id }) => id));
}
