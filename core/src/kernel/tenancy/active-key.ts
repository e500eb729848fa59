import { type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { rows, type Tx } from '../database/database.ts';
import { timestamptz } from '../database/parameters.ts';
import { apiKeys } from './schema.ts';

/** Condition on a row of `api_keys`: the key is neither revoked nor expired at this time. */
export function isActiveAt(at: SQL): SQL {
  return sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at}))`;
}

/** Whether a tenant's API key is neither revoked nor expired at this time. */
export async function isActiveKey(tx: Tx, tenantId: string, keyId: string, at: Date): Promise<boolean> {
  const found = await rows(
    tx,
    sql`SELECT 1 FROM ${apiKeys} WHERE tenant_id = ${tenantId}::uuid AND id = ${keyId}::uuid
          AND ${isActiveAt(timestamptz(at))}`,
  );
  return found.length > 0;
}

/** The error for a call without an active API key. */
export function unauthorized(): SvcError {
  return new SvcError('UNAUTHORIZED', 'The API key is unknown, expired or revoked.');
}
