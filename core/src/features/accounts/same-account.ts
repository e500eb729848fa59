import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Call } from '../../kernel/context/call.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { memberships, wallets } from './schema.ts';

/**
 * SQL for whether an agent belongs to the account of a caller: its human is the caller, or has the calling agent too. Agents that
 * have neither a human nor a wallet are the operator's own and belong together. Needs a transaction of the system.
 */
export function isOfAccount(agent: SQLWrapper, { agentId, actor }: Pick<Call, 'agentId' | 'actor'>): SQL {
  const isAgent = sql`EXISTS (SELECT FROM ${tenants} t WHERE t.tenant_id = ${agent} AND t.agent_id IS NULL)`;
  if (actor.source === 'human' && actor.credentialId !== null) {
    return sql`(${isAgent} AND EXISTS (
      SELECT FROM ${memberships} m WHERE m.tenant_id = ${agent} AND m.user_id = ${actor.credentialId}::uuid))`;
  }
  const caller = sql`${agentId}::uuid`;
  return sql`(${isAgent} AND (${agent} = ${caller}
    OR EXISTS (
      SELECT FROM ${memberships} mine JOIN ${memberships} theirs ON theirs.user_id = mine.user_id
      WHERE mine.tenant_id = ${caller} AND theirs.tenant_id = ${agent})
    OR (${isOperators(caller)} AND ${isOperators(agent)})))`;
}

function isOperators(agent: SQLWrapper): SQL {
  return sql`(NOT EXISTS (SELECT FROM ${memberships} m WHERE m.tenant_id = ${agent})
    AND NOT EXISTS (SELECT FROM ${wallets} w WHERE w.tenant_id = ${agent}))`;
}
