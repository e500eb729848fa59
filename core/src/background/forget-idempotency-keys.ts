import { sql } from 'drizzle-orm';
import { rows } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import { IDEMPOTENCY_MS, idempotencyKeys } from '../engine/schema.ts';

const BATCH = 5_000;

/**
 * Removes the answers kept for an `Idempotency-Key` after 24 hours. Design 5.
 *
 * @returns how many went; call again while it is not 0.
 */
export async function forgetIdempotencyKeys({ database, clock }: Dependencies): Promise<number> {
  const before = new Date(clock().getTime() - IDEMPOTENCY_MS).toISOString();
  const gone = await database.system((tx) =>
    // Index idempotency_keys_age.
    rows(
      tx,
      sql`DELETE FROM ${idempotencyKeys} WHERE (tenant_id, key) IN (
            SELECT tenant_id, key FROM ${idempotencyKeys} WHERE created_at < ${before}::timestamptz
            ORDER BY created_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
          RETURNING 1`,
    ),
  );
  return gone.length;
}
