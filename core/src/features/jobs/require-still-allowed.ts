import { sql } from 'drizzle-orm';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { apiKeys } from '../../kernel/tenancy/schema.ts';
import { memberships, users } from '../accounts/schema.ts';
import { connections } from '../connections/schema.ts';
import type { JobRow } from './schema.ts';

/**
 * Keeps the right of the caller who started a job until the transaction ends: to revoke their API key or app, or to take the agent
 * from them, its row is written first, so that the job writes nothing behind that. A key or session that ends by its time ends no
 * job, since that takes nothing away.
 *
 * @throws SvcError `FORBIDDEN` where the right was taken, by which the job fails.
 */
export async function requireStillAllowed(
  tx: Tx,
  agentId: string,
  { credentialId }: Pick<JobRow, 'credentialId'>,
): Promise<void> {
  if (credentialId === null) return;
  const ofCaller = sql`tenant_id = ${agentId}::uuid AND id = ${credentialId}::uuid`;
  const taken = await rows(
    tx,
    sql`WITH caller_key AS (SELECT revoked_at FROM ${apiKeys} WHERE ${ofCaller} FOR SHARE),
          app AS (SELECT revoked_at FROM ${connections} WHERE ${ofCaller} FOR SHARE),
          membership AS (
            SELECT 1 FROM ${memberships} WHERE tenant_id = ${agentId}::uuid AND user_id = ${credentialId}::uuid FOR SHARE)
        SELECT 1 FROM caller_key WHERE revoked_at IS NOT NULL
        UNION ALL SELECT 1 FROM app WHERE revoked_at IS NOT NULL
        UNION ALL SELECT 1 FROM ${users} WHERE id = ${credentialId}::uuid AND NOT EXISTS (SELECT FROM membership)`,
  );
  if (taken.length === 0) return;
  throw new SvcError(
    'FORBIDDEN',
    'The API key or app that started this job was revoked, or the agent was taken from who did. What was written before stays: start the job again to go on, or take it back by POST /memories/undo.',
  );
}
