import { sql } from 'drizzle-orm';
import { vectorLiteral } from '../database/columns.ts';
import { rows } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { memories } from '../memory/schema.ts';
import { embeddingQueue, memoryVectors } from '../recall/schema.ts';

const BATCH = 64;
const FIRST_WAIT_S = 30;
const LONGEST_WAIT_S = 3_600;

interface Missing {
  readonly tenant_id: string;
  readonly memory_id: string;
  readonly version: number;
  readonly content: string;
}

/**
 * Makes the vectors of memories that were written while the embedder was away. What fails is tried again, after longer
 * and longer waits of up to an hour.
 *
 * @returns how many vectors were made; call again while it is not 0.
 */
export async function embedMissing(dependencies: Dependencies, signal: AbortSignal): Promise<number> {
  const missing = await takeMissing(dependencies);
  if (missing.length === 0) return 0;
  try {
    return await embed(dependencies, missing, signal);
  } catch (error) {
    signal.throwIfAborted();
    const [first, ...others] = missing;
    dependencies.logger.warn({ err: error, queued: missing.length }, 'missing vectors could not be made');
    if (!first || others.length === 0) return 0;
    return embedOneByOne(dependencies, missing, signal);
  }
}

/** One text the model cannot take must not keep the others waiting; but where the first fails too, it is away. */
async function embedOneByOne(
  dependencies: Dependencies,
  missing: readonly Missing[],
  signal: AbortSignal,
): Promise<number> {
  let made = 0;
  for (const [index, one] of missing.entries()) {
    const done = await embed(dependencies, [one], signal).catch(() => undefined);
    signal.throwIfAborted();
    if (done === undefined && index === 0) return 0;
    made += done ?? 0;
  }
  return made;
}

/** Takes what is due and puts its next try off, so that no other process takes it too. */
function takeMissing({ database, embedder, clock }: Dependencies): Promise<Missing[]> {
  const now = clock().toISOString();
  return database.system((tx) =>
    // Index embedding_queue_due.
    rows<Missing>(
      tx,
      sql`WITH due AS MATERIALIZED (
            SELECT tenant_id, memory_id, model FROM ${embeddingQueue}
            WHERE due_at <= ${now}::timestamptz AND model = ${embedder.model}
            ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
          ), taken AS (
            UPDATE ${embeddingQueue} queue SET attempts = attempts + 1,
              due_at = ${now}::timestamptz + (0.75 + random() / 2) * interval '1 second'
                       * least(${FIRST_WAIT_S}::float8 * 2 ^ least(queue.attempts, 20), ${LONGEST_WAIT_S}::float8)
            FROM due WHERE queue.tenant_id = due.tenant_id AND queue.memory_id = due.memory_id
              AND queue.model = due.model
            RETURNING queue.tenant_id, queue.memory_id
          )
          SELECT taken.tenant_id, taken.memory_id, memory.version, memory.content
          FROM taken JOIN ${memories} memory ON memory.tenant_id = taken.tenant_id AND memory.id = taken.memory_id
          WHERE memory.archived_at IS NULL`,
    ),
  );
}

async function embed(
  { database, embedder }: Dependencies,
  missing: readonly Missing[],
  signal: AbortSignal,
): Promise<number> {
  const vectors = await embedder.embed(
    missing.map(({ content }) => content),
    signal,
  );
  let made = 0;
  for (const [index, { tenant_id, memory_id, version }] of missing.entries()) {
    const vector = vectors[index];
    if (!vector) continue;
    made += await database.transaction(tenant_id, async (tx) => {
      // The version tells whether the memory still says what was embedded; its lock keeps that so.
      const stored = await rows(
        tx,
        sql`INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
            SELECT tenant_id, ${embedder.model}, id, ${vectorLiteral(vector)}::vector FROM ${memories}
            WHERE tenant_id = ${tenant_id}::uuid AND id = ${memory_id}::uuid AND version = ${version}
              AND archived_at IS NULL FOR UPDATE
            ON CONFLICT DO NOTHING RETURNING 1`,
      );
      if (stored.length === 0) return 0;
      await tx.execute(
        sql`DELETE FROM ${embeddingQueue} WHERE tenant_id = ${tenant_id}::uuid AND memory_id = ${memory_id}::uuid
            AND model = ${embedder.model}`,
      );
      return 1;
    });
  }
  return made;
}
