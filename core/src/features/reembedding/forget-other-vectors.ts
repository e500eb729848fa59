import { and, eq, sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { jobs } from '../jobs/schema.ts';
import { embeddingQueue, memoryVectors } from '../search-index/schema.ts';

/** How long vectors of the previous model are kept, so that switching back is cheap. */
const KEPT_MS = DAY_MS;
const TENANTS = 100;
const VECTORS = 5_000;

/**
 * Deletes vectors of inactive models a day after the switch. Queues each of their memories that lacks a vector of the active
 * model.
 *
 * @returns the number of deleted vectors; call again while it is not 0.
 */
export async function forgetOtherVectors({ database, clock }: Services): Promise<number> {
  const now = clock();
  const before = new Date(now.getTime() - KEPT_MS);
  const found = await database.system((tx) =>
    // Two look-ups by the primary key of memory_vectors per tenant.
    rows<{ tenant_id: string }>(
      tx,
      sql`SELECT tenant_id FROM ${tenants} tenant
          WHERE embedding_since < ${timestamptz(before)} AND ${idle} AND (EXISTS (
            SELECT FROM ${memoryVectors} v WHERE v.tenant_id = tenant.tenant_id AND v.model < tenant.embedding_model
          ) OR EXISTS (
            SELECT FROM ${memoryVectors} v WHERE v.tenant_id = tenant.tenant_id AND v.model > tenant.embedding_model
          )) LIMIT ${TENANTS}`,
    ),
  );
  let forgotten = 0;
  for (const { tenant_id } of found) {
    forgotten += await database.transaction(tenant_id, (tx) => forgetChunk(tx, tenant_id, now));
  }
  return forgotten;
}

const idle = sql`NOT EXISTS (SELECT FROM ${jobs} job WHERE job.tenant_id = tenant.tenant_id
  AND job.singleton = 'reembed' AND job.finished_at IS NULL)`;

async function forgetChunk(tx: Tx, tenantId: string, now: Date): Promise<number> {
  // Locks the tenant, so that it cannot switch to one of those models meanwhile.
  const [tenant] = await rows<{ model: string }>(
    tx,
    sql`SELECT embedding_model AS model FROM ${tenants} tenant
        WHERE tenant_id = ${tenantId}::uuid AND ${idle} FOR UPDATE`,
  );
  if (!tenant) return 0;
  const { model } = tenant;
  const other = sql`tenant_id = ${tenantId}::uuid AND (model < ${model} OR model > ${model})`;
  await tx.execute(
    sql`INSERT INTO ${embeddingQueue} (tenant_id, memory_id, model, due_at)
        SELECT DISTINCT tenant_id, memory_id, ${model}, ${timestamptz(now)} FROM ${memoryVectors} known
        WHERE ${other} AND NOT EXISTS (
          SELECT FROM ${memoryVectors} v
          WHERE v.tenant_id = ${tenantId}::uuid AND v.model = ${model} AND v.memory_id = known.memory_id)
        ON CONFLICT DO NOTHING`,
  );
  await tx
    .delete(embeddingQueue)
    .where(and(eq(embeddingQueue.tenantId, tenantId), sql`${embeddingQueue.model} <> ${model}`));
  const gone = await rows(
    tx,
    sql`DELETE FROM ${memoryVectors} WHERE tenant_id = ${tenantId}::uuid AND (model, memory_id) IN (
          SELECT model, memory_id FROM ${memoryVectors} WHERE ${other} LIMIT ${VECTORS}) RETURNING 1`,
  );
  return gone.length;
}
