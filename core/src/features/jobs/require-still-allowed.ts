import { sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { SvcError } from '../../kernel/contract/errors.ts';
import { rows } from '../../kernel/database/database.ts';
import { apiKeys } from '../../kernel/tenancy/schema.ts';
import { memberships, users } from '../accounts/schema.ts';
import { connections } from '../connections/schema.ts';
import type { JobRow } from './schema.ts';

/**
 * Checks that nobody took away the right of the caller who started a job: by revoking their API key or app, or by taking the agent
 * from them. A key or session that ends by its time ends no job, since that takes nothing away.
 *
 * @throws SvcError `FORBIDDEN`, by which the job fails.
 */
export async function requireStillAllowed(
  { database }: Services,
  agentId: string,
  { credentialId }: Pick<JobRow, 'credentialId'>,
): Promise<void> {
  if (credentialId === null) return;
  const revoked = sql`tenant_id = ${agentId}::uuid AND id = ${credentialId}::uuid AND revoked_at IS NOT NULL`;
  // Keys and memberships are in the tenant of the agent, the job may be in that of a user.
  const found = await database.system((tx) =>
    rows(
      tx,
      sql`SELECT 1 FROM ${apiKeys} WHERE ${revoked}
          UNION ALL SELECT 1 FROM ${connections} WHERE ${revoked}
          UNION ALL SELECT 1 FROM ${users} human WHERE human.id = ${credentialId}::uuid AND NOT EXISTS (
            SELECT FROM ${memberships} own WHERE own.tenant_id = ${agentId}::uuid AND own.user_id = human.id)`,
    ),
  );
  if (found.length === 0) return;
  throw new SvcError(
    'FORBIDDEN',
    'The API key or app that started this job was revoked, or the agent was taken from who did. What was written before stays: start the job again to go on, or take it back by POST /memories/undo.',
  );
}
