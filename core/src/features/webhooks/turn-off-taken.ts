import { sql } from 'drizzle-orm';
import { OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import { auditEntries } from '../../kernel/audit/schema.ts';
import { eventEndpoints } from '../../kernel/commit/outbox-schema.ts';
import { rows } from '../../kernel/database/database.ts';
import { timestamptz } from '../../kernel/database/parameters.ts';
import type { AgentTaken } from '../accounts/accounts.ts';

/**
 * Turns off the endpoints whose addresses a human chose, when the agent is taken from them: else what happens to it, and its users'
 * ids, went on to them. Who chose an address last stands in the audit log. Another human of the agent may turn them on again.
 */
export const turnOffEndpoints: AgentTaken = async (tx, services, { tenantId, userId }) => {
  const now = services.clock();
  const turnedOff = await rows<{ id: string }>(
    tx,
    sql`UPDATE ${eventEndpoints} endpoint
        SET disabled_at = ${timestamptz(now)}, disabled_reason = 'human', updated_at = ${timestamptz(now)}
        WHERE tenant_id = ${tenantId}::uuid AND disabled_at IS NULL AND ${userId} = (
          SELECT by_credential_id FROM ${auditEntries} entry
          WHERE entry.tenant_id = endpoint.tenant_id AND chain = 'account' AND touched ->> 'endpoint_id' = endpoint.id::text
            AND (act = 'event_endpoint.created' OR (act = 'event_endpoint.updated' AND touched -> 'fields' ? 'url'))
          ORDER BY sequence DESC LIMIT 1)
        RETURNING id`,
  );
  for (const { id } of turnedOff) {
    const touched = { endpoint_id: id, fields: ['enabled'] };
    await appendToAuditLog(tx, services, [tenantId], {
      act: 'event_endpoint.updated',
      by: OPERATOR,
      touched,
    });
  }
};
