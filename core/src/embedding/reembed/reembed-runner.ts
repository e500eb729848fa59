import { and, count, eq, isNull, sql } from 'drizzle-orm';
import { z } from 'zod';
import { SvcError } from '../../contract/errors.ts';
import { rows, type Tx } from '../../database/database.ts';
import type { Context } from '../../engine/context.ts';
import { defineRunner } from '../../jobs/runner.ts';
import { memories } from '../../memory/schema.ts';
import { embeddingQueue, memoryVectors } from '../../recall/schema.ts';
import { storeVectors } from '../../recall/store-vectors.ts';
import { tenants } from '../../tenants/schema.ts';
import { embedEach } from '../embed-each.ts';

/** Memories looked at in a step. */
const BATCH = 128;

interface Found {
  readonly memory_id: string;
  readonly version: number;
  /** Null where the memory has its vector. */
  readonly content: string | null;
}

/**
 * Gives every memory of a tenant a vector of another model, then lets that model answer, at once for all of them. The old
 * vectors answer until then.
 */
export const reembedRunner = defineRunner({
  kind: 'reembed',
  source: 'agent',
  input: z.object({ model: z.string() }),
  checkpoint: z.object({ after: z.uuid().nullable() }),
  step: async (context, job, signal) => {
    const { tenantId, spaces } = context;
    const { model } = job.input;
    if (!spaces.has(model)) throw new Error(`There is no embedder ${model} in this process.`);
    const after = job.checkpoint?.after ?? null;
    const { found, total } = await context.read(async (tx) => ({
      found: await findNext(tx, tenantId, model, after),
      total: job.total ?? (await countActive(tx, tenantId)),
    }));
    const lacking = found.flatMap((one) => (one.content === null ? [] : [{ ...one, content: one.content }]));
    const embedded = await embedEach(spaces, model, lacking, signal);
    if (embedded === 'away') throw away();
    const { made, refused } = embedded;
    const last = found.at(-1);
    const done = Math.min(job.done + found.length, total);
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

/** What the model does not take now is tried again by the background work, and holds nothing up. */
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

/** Switches, unless a process with another embedder wrote behind the back of this job: then it looks again. */
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
