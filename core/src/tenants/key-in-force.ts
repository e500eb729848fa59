import { type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { rows, type Tx } from '../database/database.ts';
import { apiKeys } from './schema.ts';

/** The condition on a row of `api_keys` that it opens its tenant at a moment. */
export function inForce(at: SQL): SQL {
  return sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at}))`;
}

/** Whether a tenant's API key opens it at a moment. */
export async function isInForce(tx: Tx, tenantId: string, keyId: string, at: Date): Promise<boolean> {
  const found = await rows(
    tx,
    sql`SELECT 1 FROM ${apiKeys} WHERE tenant_id = ${tenantId}::uuid AND id = ${keyId}::uuid
          AND ${inForce(sql`${at.toISOString()}::timestamptz`)}`,
  );
  return found.length > 0;
}

/** What everyone without such a key is told. */
export function unauthorized(): SvcError {
  return new SvcError('UNAUTHORIZED', 'The API key is missing, unknown, expired or revoked.');
}
