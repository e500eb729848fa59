import { sql } from 'drizzle-orm';
import { integers, texts, uuids } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import { rows, type Tx } from '../database/database.ts';
import { memories } from '../memory/schema.ts';
import { tenants } from '../tenants/schema.ts';
import { embeddingQueue, memoryVectors } from './schema.ts';

/** A vector made of what a memory said at a version. */
export interface MadeVector {
  readonly memory_id: string;
  readonly version: number;
  readonly vector: Float32Array;
}

/**
 * Stores vectors made outside the transaction, but for memories that say something else by now or are archived.
 *
 * @returns how many were stored.
 */
export async function storeVectors(
  tx: Tx,
  tenantId: string,
  model: string,
  made: readonly MadeVector[],
): Promise<number> {
  // The lock keeps a memory at its version; in order, so that two such calls cannot wait for each other.
  const stored = await rows<{ memory_id: string }>(
    tx,
    sql`WITH item AS (
          SELECT * FROM unnest(${uuids(made.map((one) => one.memory_id))}, ${integers(made.map((one) => one.version))},
            ${texts(made.map((one) => vectorLiteral(one.vector)))}) AS item(memory_id, version, embedding)
        ), present AS MATERIALIZED (
          SELECT memory.id, item.embedding FROM ${memories} memory
          JOIN item ON item.memory_id = memory.id AND item.version = memory.version
          WHERE memory.tenant_id = ${tenantId}::uuid AND memory.archived_at IS NULL
          ORDER BY memory.id FOR UPDATE OF memory
        ), noted AS (
          UPDATE ${memories} memory SET changed_in = pg_current_xact_id() FROM present, ${tenants} tenant
          WHERE memory.tenant_id = ${tenantId}::uuid AND memory.id = present.id
            AND tenant.tenant_id = ${tenantId}::uuid AND tenant.embedding_model = ${model}
        )
        INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
        SELECT ${tenantId}::uuid, ${model}, id, embedding::vector FROM present
        ON CONFLICT DO NOTHING RETURNING memory_id`,
  );
  // Also what was there already: of a memory that has its vector, none is missing.
  await tx.execute(
    sql`DELETE FROM ${embeddingQueue} WHERE tenant_id = ${tenantId}::uuid AND model = ${model}
          AND memory_id IN (
            SELECT memory_id FROM ${memoryVectors} WHERE tenant_id = ${tenantId}::uuid AND model = ${model}
              AND memory_id = ANY(${uuids(made.map((one) => one.memory_id))}))`,
  );
  return stored.length;
}
