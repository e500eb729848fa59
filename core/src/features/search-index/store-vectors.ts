import { sql } from 'drizzle-orm';
import { vectorLiteral } from '../../kernel/database/columns.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { integers, texts, uuids } from '../../kernel/database/parameters.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import type { MadeVector } from '../embedding/embed-each.ts';
import { memories } from '../records/schema.ts';
import { embeddingQueue, memoryVectors } from './schema.ts';

/**
 * Stores vectors that were made outside the transaction, except for memories that changed or were archived meanwhile.
 *
 * @returns the number of stored vectors.
 */
export async function storeVectors(
  tx: Tx,
  tenantId: string,
  model: string,
  made: readonly MadeVector[],
): Promise<number> {
  // Locks the memories at their versions, in order of id, so that concurrent calls cannot deadlock.
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
  // Also for vectors that existed already.
  await tx.execute(
    sql`DELETE FROM ${embeddingQueue} WHERE tenant_id = ${tenantId}::uuid AND model = ${model}
          AND memory_id IN (
            SELECT memory_id FROM ${memoryVectors} WHERE tenant_id = ${tenantId}::uuid AND model = ${model}
              AND memory_id = ANY(${uuids(made.map((one) => one.memory_id))}))`,
  );
  return stored.length;
}
