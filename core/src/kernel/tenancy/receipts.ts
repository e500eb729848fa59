import { createHash } from 'node:crypto';
import { and, eq, gt, sql } from 'drizzle-orm';
import { type Database, rows, type Tx } from '../database/database.ts';
import type { KeptReceipt } from '../database/erasure-log.ts';
import { timestamptz } from '../database/parameters.ts';
import { agentUsers, erasures, tenants } from './schema.ts';

/** What the hash of a receipt is of: rows by the name of their table in `erased`. */
interface Erasure {
  readonly id: string;
  readonly user_id: string;
  readonly erased_at: string;
  readonly erased: Readonly<Record<string, number>>;
}

/** The counts by name in order: the database keeps an object by the length of its names, and the hash is of its JSON text. */
export function sortedCounts(erased: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(erased).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The hash of a receipt. It is all that tells whose it was. */
export function receiptHash({ id, user_id, erased_at, erased }: Erasure): string {
  return createHash('sha256')
    .update(JSON.stringify([id, user_id, erased_at, sortedCounts(erased)]))
    .digest('hex');
}

/**
 * Whether a user of an agent was forgotten since a snapshot of the database was taken. A receipt that was copied from another server
 * has the number of a transaction there: of one that is yet to come here, nothing is told.
 */
export async function wasErasedSince(
  tx: Tx,
  agentId: string,
  userId: string,
  snapshot: string,
): Promise<boolean> {
  const since = sql`${snapshot}::pg_snapshot`;
  const { transaction } = erasures;
  // Index erasures_order.
  const later = await tx
    .select()
    .from(erasures)
    .where(
      sql`${erasures.tenantId} = ${agentId}::uuid
        AND ${transaction} >= pg_snapshot_xmin(${since})::text::bigint
        AND ${transaction} < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
        AND NOT pg_visible_in_snapshot(${transaction}::text::xid8, ${since})`,
    );
  return later.some((one) => isReceiptOf(userId, one));
}

/** When a user of an agent was last forgotten, where that was after a time. */
export async function lastErasure(
  tx: Tx,
  agentId: string,
  userId: string,
  since: Date,
): Promise<Date | undefined> {
  // Indexes agent_users_pkey and erasures_pkey: of a user who is there all the time, no receipt is read.
  const wasThere = sql`EXISTS (SELECT FROM ${agentUsers} WHERE tenant_id = ${agentId}::uuid
    AND user_id = ${userId} AND created_at <= ${timestamptz(since)})`;
  const later = await tx
    .select()
    .from(erasures)
    .where(and(eq(erasures.tenantId, agentId), gt(erasures.erasedAt, since), sql`NOT ${wasThere}`));
  const times = later.filter((one) => isReceiptOf(userId, one)).map(({ erasedAt }) => erasedAt.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

function isReceiptOf(userId: string, { id, erasedAt, erased, hash }: typeof erasures.$inferSelect): boolean {
  return hash === receiptHash({ id, user_id: userId, erased_at: erasedAt.toISOString(), erased });
}

/**
 * Puts back the receipts that a restored backup lacks, or holds from when their erasure had just begun. One that is there with its
 * numbers stays as it is.
 */
export async function restoreReceipts(database: Database, receipts: readonly KeptReceipt[]): Promise<void> {
  if (receipts.length === 0) return;
  const kept = sql`jsonb_to_recordset(${JSON.stringify(receipts)}::jsonb)
    AS kept(tenant_id uuid, id uuid, erased_at timestamptz, erased jsonb, hash text)`;
  await database.system((tx) =>
    rows(
      tx,
      sql`INSERT INTO ${erasures} AS receipt (tenant_id, id, erased_at, erased, hash)
          SELECT tenant_id, id, erased_at, erased, hash FROM ${kept}
          WHERE tenant_id IN (SELECT tenant_id FROM ${tenants})
          ON CONFLICT (tenant_id, id) DO UPDATE SET erased = excluded.erased, hash = excluded.hash
            WHERE receipt.erased - 'api_keys' = '{}' AND receipt.hash <> excluded.hash
          RETURNING 1`,
    ),
  );
}
