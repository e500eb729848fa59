import { sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows } from '../../kernel/database/database.ts';
import { timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { isDue } from '../../kernel/queue/claim.ts';
import { embedEach, type Unembedded } from '../embedding/embed-each.ts';
import { memories } from '../records/schema.ts';
import { embeddingQueue } from './schema.ts';
import { storeVectors } from './store-vectors.ts';

const BATCH = 64;
const FIRST_WAIT_S = 30;
const LONGEST_WAIT_S = 3_600;

interface Missing extends Unembedded {
  readonly tenant_id: string;
}

/**
 * Embeds memories that were written while the embedder was unavailable. A refused text is retried with growing waits of up to
 * an hour. While the embedder is unavailable, all are retried after half a minute.
 *
 * @returns the number of stored vectors; call again while it is not 0.
 */
export async function embedMissing(services: Services, signal: AbortSignal): Promise<number> {
  let made = 0;
  for (const model of await services.embeddingModels.reachable()) {
    made += await embedMissingOf(services, model, signal);
  }
  return made;
}

/** When the next of what waits for its vector is to be tried. */
export async function nextMissing({ database }: Services): Promise<Date | undefined> {
  // Index embedding_queue_due.
  const [[next] = []] = await database.systemBatch([sql`SELECT min(due_at) AS due FROM ${embeddingQueue}`]);
  const { due } = next as { readonly due: string | null };
  return due === null ? undefined : new Date(due);
}

async function embedMissingOf(services: Services, model: string, signal: AbortSignal): Promise<number> {
  const { database, embeddingModels, logger } = services;
  const missing = await takeMissing(services, model);
  const { made, refused, left, error } = await embedEach(embeddingModels, model, missing, signal);
  if (left.length > 0) {
    logger.warn({ model, queued: left.length }, 'the embedder is away; missing vectors wait');
    await putBack(services, model, left);
  }
  if (refused.length > 0) {
    logger.warn({ err: error, model, refused: refused.length }, 'the embedder does not take some texts');
  }
  let stored = 0;
  for (const tenantId of new Set(made.map((one) => one.tenant_id))) {
    const own = made.filter((one) => one.tenant_id === tenantId);
    stored += await database.transaction(tenantId, (tx) => storeVectors(tx, tenantId, model, own));
  }
  return stored;
}

/** Claims due memories by postponing their next attempt, so that no other process takes them too. */
function takeMissing({ database, clock }: Services, model: string): Promise<Missing[]> {
  const now = clock();
  return database.system((tx) =>
    // Index embedding_queue_due.
    rows<Missing>(
      tx,
      sql`WITH due AS MATERIALIZED (
            SELECT tenant_id, memory_id, model FROM ${embeddingQueue}
            WHERE ${isDue(now, 2_000 * LONGEST_WAIT_S)} AND model = ${model}
            ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
          ), taken AS (
            UPDATE ${embeddingQueue} queue SET attempts = attempts + 1,
              due_at = ${timestamptz(now)} + (0.75 + random() / 2) * interval '1 second'
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

/** Undoes a claim: an outage is no fault of the texts, so they wait only the first interval. */
async function putBack(
  { database, clock }: Services,
  model: string,
  missing: readonly Missing[],
): Promise<void> {
  const due = new Date(clock().getTime() + FIRST_WAIT_S * 1_000).toISOString();
  await database.system((tx) =>
    tx.execute(
      sql`UPDATE ${embeddingQueue} queue SET attempts = greatest(0, attempts - 1), due_at = ${due}::timestamptz
          FROM unnest(${uuids(missing.map((one) => one.tenant_id))}, ${uuids(missing.map((one) => one.memory_id))})
            AS item(tenant_id, memory_id)
          WHERE queue.tenant_id = item.tenant_id AND queue.memory_id = item.memory_id AND queue.model = ${model}`,
    ),
  );
}
