import { createHash } from 'node:crypto';
import { and, eq, lt, type SQLWrapper, sql } from 'drizzle-orm';
import type { Actor } from '../context/call.ts';
import type { Context, Services } from '../context/context.ts';
import { SvcError } from '../contract/errors.ts';
import { compileStatement } from '../database/compiled-statement.ts';
import type { Tx } from '../database/database.ts';
import { deleteOldest } from '../database/delete-oldest.ts';
import { quotedListText } from '../database/parameters.ts';
import { IDEMPOTENCY_MS, idempotencyKeys as table } from './schema.ts';

/** An `Idempotency-Key` as the table holds it, with the hash of the request that it was used for. */
export interface RequestKey {
  readonly tenantId: string;
  readonly key: string;
  readonly requestHash: string;
}

/** What a repeated call with a key answers. */
export interface KeptAnswer extends Pick<RequestKey, 'key' | 'requestHash'> {
  readonly response: unknown;
}

/** Prefixes the keys of humans, so that none of them replays what the agent was told. */
export function storedKeyOf({ source }: Actor, key: string | undefined): string | undefined {
  return key !== undefined && source === 'human' ? `human ${key}` : key;
}

/** Identifies a request, so that a key used for another one is refused. */
export function hashRequest(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/**
 * Claims the key for this transaction. A concurrent call with the same key waits here until this transaction ends.
 *
 * @returns what the first call with the key answered; undefined where this one is the first.
 * @throws SvcError `CONFLICT` for a key that was used for another request.
 */
export async function claimKey(
  tx: Tx,
  { tenantId, key, requestHash }: RequestKey,
  now: Date,
): Promise<{ readonly response: unknown } | undefined> {
  const expired = new Date(now.getTime() - IDEMPOTENCY_MS);
  const own = and(eq(table.tenantId, tenantId), eq(table.key, key));
  await tx.delete(table).where(and(own, lt(table.createdAt, expired)));
  const claimed = await tx
    .insert(table)
    .values({ tenantId, key, requestHash, createdAt: now })
    .onConflictDoNothing()
    .returning({ key: table.key });
  if (claimed.length > 0) return undefined;
  const [first] = await tx.select().from(table).where(own);
  if (first?.requestHash !== requestHash) {
    throw new SvcError('CONFLICT', 'This Idempotency-Key was used for a different request. Use a new key.');
  }
  return { response: first.response };
}

/** The statement that keeps the answer to a key claimed in this transaction. */
export function keepAnswer({ tenantId, key }: RequestKey, response: unknown): SQLWrapper {
  return sql`UPDATE ${table} SET response = ${JSON.stringify(response ?? null)}::json
    WHERE tenant_id = ${tenantId}::uuid AND key = ${key}`;
}

/**
 * The statement that keeps answers to keys that were not used before: a used key breaks the table's primary key. The keys
 * are sorted, so that concurrent statements lock them in the same order.
 *
 * @returns undefined without answers.
 */
export function keepNewAnswers(
  tenantId: string,
  now: Date,
  answers: readonly KeptAnswer[],
): SQLWrapper | undefined {
  if (answers.length === 0) return undefined;
  const sorted = [...answers].sort((a, b) => (a.key < b.key ? -1 : 1));
  return insertAnswers({
    tenantId,
    now: now.toISOString(),
    keys: quotedListText(sorted.map(({ key }) => key)),
    hashes: quotedListText(sorted.map(({ requestHash }) => requestHash)),
    responses: quotedListText(sorted.map(({ response }) => JSON.stringify(response))),
  });
}

const insertAnswers = compileStatement<Record<'tenantId' | 'now' | 'keys' | 'hashes' | 'responses', string>>(
  (param) => sql`INSERT INTO ${table} (tenant_id, key, request_hash, response, created_at)
    SELECT ${param('tenantId')}::uuid, key, hash, response::json, ${param('now')}::timestamptz
    FROM unnest(${param('keys')}::text[], ${param('hashes')}::text[], ${param('responses')}::text[])
      AS kept(key, hash, response)`,
);

/**
 * Removes the answers of more than 24 hours ago.
 *
 * @returns how many went; call again while it is not 0.
 */
export function forgetIdempotencyKeys({ database, clock }: Services): Promise<number> {
  const before = new Date(clock().getTime() - IDEMPOTENCY_MS);
  // Index idempotency_keys_age.
  return deleteOldest(database, { table, key: table.key, at: table.createdAt, before });
}

/**
 * The id of what a call stores once, such as a note of its injection: the same for all calls with one `Idempotency-Key`.
 *
 * @param kind Tells apart what one call stores.
 */
export function idOfCall({ ids, options: { idempotencyKey } }: Context, kind: string): string {
  if (idempotencyKey === undefined) return ids();
  const hex = createHash('sha256').update(`${kind} ${idempotencyKey}`).digest('hex');
  return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
