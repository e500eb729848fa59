import { sql } from 'drizzle-orm';
import { uuids } from '../database/arrays.ts';
import { rows } from '../database/database.ts';
import { embedEach, type Unembedded } from '../embedding/embed-each.ts';
import type { Dependencies } from '../engine/context.ts';
import { memories } from '../memory/schema.ts';
import { embeddingQueue } from '../recall/schema.ts';
import { storeVectors } from '../recall/store-vectors.ts';

const BATCH = 64;
const FIRST_WAIT_S = 30;
const LONGEST_WAIT_S = 3_600;

interface Missing extends Unembedded {
  readonly tenant_id: string;
}

/**
 * Makes the vectors of memories that were written while the embedder was away. A text that it does not take is tried
 * again after longer and longer waits of up to an hour; while the embedder itself is away, after half a minute.
 *
 * @returns how many vectors were made; call again while it is not 0.
 */
export async function embedMissing(dependencies: Dependencies, signal: AbortSignal): Promise<number> {
  let made = 0;
  for (const model of await dependencies.spaces.reachable()) {
    made += await embedMissingOf(dependencies, model, signal);
  }
  return made;
}

async function embedMissingOf(
  dependencies: Dependencies,
  model: string,
  signal: AbortSignal,
): Promise<number> {
  const { database, spaces, logger } = dependencies;
  const missing = await takeMissing(dependencies, model);
  const embedded = await embedEach(spaces, model, missing, signal);
  if (embedded === 'away') {
    logger.warn({ model, queued: missing.length }, 'the embedder is away; missing vectors wait');
    await putBack(dependencies, model, missing);
    return 0;
  }
  const { made, refused, error } = embedded;
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

/** Takes what is due and puts its next try off, so that no other process takes it too. */
function takeMissing({ database, clock }: Dependencies, model: string): Promise<Missing[]> {
  const now = clock().toISOString();
  return database.system((tx) =>
    // Index embedding_queue_due.
    rows<Missing>(
      tx,
      sql`WITH due AS MATERIALIZED (
            SELECT tenant_id, memory_id, model FROM ${embeddingQueue}
            WHERE due_at <= ${now}::timestamptz AND model = ${model}
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

/** An outage is no fault of the texts: they wait no longer than at first. */
async function putBack(
  { database, clock }: Dependencies,
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
