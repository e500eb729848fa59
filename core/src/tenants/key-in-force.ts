import { type SQL, sql } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';

/** The condition on a row of `api_keys` that it opens its tenant at a moment. */
export function inForce(at: SQL): SQL {
  return sql`(revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ${at}))`;
}

/** What everyone without such a key is told. */
export function unauthorized(): SvcError {
  return new SvcError('UNAUTHORIZED', 'The API key is missing, unknown, expired or revoked.');
}
