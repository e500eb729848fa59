import { sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { type MemoryRow, memories } from '../memory/schema.ts';

/** Finds the episodes of digests that came back from an export, so that they go into no second one. */
export async function linkDigests(
  tx: Tx,
  { tenantId }: Context,
  restored: readonly MemoryRow[],
): Promise<void> {
  const digests = restored.filter(({ derivedFrom }) => derivedFrom.length > 0).map(({ id }) => id);
  if (digests.length === 0) return;
  await tx.execute(sql`
    UPDATE ${memories} episode SET digest_id = digest.id FROM ${memories} digest
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})
      AND episode.tenant_id = digest.tenant_id AND episode.id = ANY(digest.derived_from)
      AND episode.type = 'episodic' AND episode.digest_id IS NULL`);
  await tx.execute(sql`
    UPDATE ${memories} digest SET echoes = EXISTS (
      SELECT FROM ${memories} episode WHERE episode.tenant_id = digest.tenant_id
        AND episode.id = ANY(digest.derived_from) AND episode.archived_at IS NULL)
    WHERE digest.tenant_id = ${tenantId}::uuid AND digest.id = ANY(${uuids(digests)})`);
}
