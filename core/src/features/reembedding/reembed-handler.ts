import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { embedEach } from '../embedding/embed-each.ts';
import { defineJobHandler } from '../jobs/job-handler.ts';
import { memories } from '../records/schema.ts';
import { embeddingQueue, memoryVectors } from '../search-index/schema.ts';
import { storeVectors } from '../search-index/store-vectors.ts';

/** Memories in a step. */
const BATCH = 128;

interface Found {
  readonly memory_id: string;
  readonly version: number;
  /** Null when the memory has its vector. */
  readonly content: string | null;
}

/**
 * Gives every memory of a tenant a vector of another model, then activates that model for all of them at once. The previous
 * model stays active until then.
 */
export const reembedHandler = defineJobHandler({
  kind: 'reembed',
  source: 'agent',
  input: z.object({ model: z.string() }),
  checkpoint: z.object({ after: z.uuid().nullable() }),
  step: async (context, job, signal) => {
    const { tenantId, embeddingModels } = context;
    const { model } = job.input;
    if (!embeddingModels.has(model)) throw new Error(`There is no embedder ${model} in this process.`);
    const after = job.checkpoint?.after ?? null;
    const { found, total } = await context.read(async (tx) => ({
      found: await findNext(tx, tenantId, model, after),
      total: job.total ?? (await countActive(tx, tenantId)),
    }));
    const lacking = found.flatMap((one) => (one.content === null ? [] : [{ ...one, content: one.content }]));
    const { made, refused, left } = await embedEach(embeddingModels, model, lacking, signal);
    const handled = left[0] ? until(found, left[0].memory_id) : found;
    const last = handled.at(-1);
    if (!last && left.length > 0) throw away();
    const done = Math.min(job.done + handled.length, total);
    return async (tx) => {
      if (!last) return finish(tx, context, model, total);
      await storeVectors(tx, tenantId, model, made);
      await keepForLater(tx, context, model, refused);
      return {
        checkpoint: { after: last.memory_id },
        done,
        total,
        errors: refused.map(({ memory_id }) => ({
          item: memory_id,
          code: 'UNAVAILABLE',
          message: 'The embedder does not take this text: the memory is found by its words until it does.',
        })),
      };
    };
  },
});

function until(found: readonly Found[], id: string): readonly Found[] {
  return found.slice(
    0,
    found.findIndex(({ memory_id }) => memory_id === id),
  );
}

function away(): SvcError {
  return new SvcError('UNAVAILABLE', 'The embedder does not answer; the re-embedding goes on when it does.');
}

/** By the primary keys of memories and memory_vectors. */
function findNext(tx: Tx, tenantId: string, model: string, after: string | null): Promise<Found[]> {
  return rows<Found>(
    tx,
    sql`SELECT id AS memory_id, version, CASE WHEN NOT EXISTS (
          SELECT FROM ${memoryVectors} vector
          WHERE vector.tenant_id = ${tenantId}::uuid AND vector.model = ${model} AND vector.memory_id = memory.id
        ) THEN content END AS content
        FROM ${memories} memory
        WHERE tenant_id = ${tenantId}::uuid AND archived_at IS NULL ${after ? sql`AND id > ${after}::uuid` : sql``}
        ORDER BY id LIMIT ${BATCH}`,
  );
}

async function countActive(tx: Tx, tenantId: string): Promise<number> {
  const [found] = await tx
    .select({ active: count() })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), isNull(memories.archivedAt)));
  return found?.active ?? 0;
}

/** Queues refused memories for the background task, so that they do not delay the switch. */
async function keepForLater(
  tx: Tx,
  { tenantId, now }: Context,
  model: string,
  refused: readonly { readonly memory_id: string }[],
): Promise<void> {
  if (refused.length === 0) return;
  await tx
    .insert(embeddingQueue)
    .values(
      refused.map(({ memory_id }) => ({ tenantId, memoryId: memory_id, model, attempts: 1, dueAt: now })),
    )
    .onConflictDoNothing();
}

/** Activates the model. Starts over when a process with another embedder wrote memories meanwhile. */
async function finish(tx: Tx, { tenantId, now }: Context, model: string, total: number) {
  const own = eq(tenants.tenantId, tenantId);
  await tx.select({ id: tenants.tenantId }).from(tenants).where(own).for('update');
  const [state] = await rows<{ lacking: boolean }>(
    tx,
    sql`SELECT EXISTS (
          SELECT FROM ${memories} memory WHERE tenant_id = ${tenantId}::uuid AND archived_at IS NULL
            AND NOT EXISTS (SELECT FROM ${memoryVectors} vector WHERE vector.tenant_id = ${tenantId}::uuid
              AND vector.model = ${model} AND vector.memory_id = memory.id)
            AND NOT EXISTS (SELECT FROM ${embeddingQueue} queue WHERE queue.tenant_id = ${tenantId}::uuid
              AND queue.memory_id = memory.id AND queue.model = ${model})) AS lacking`,
  );
  if (state?.lacking) return { checkpoint: { after: null }, done: total, total };
  await tx.update(tenants).set({ embeddingModel: model, embeddingSince: now }).where(own);
  return { checkpoint: { after: null }, done: total, total, result: { model }, finished: true };
}
