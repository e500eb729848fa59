import { and, eq, inArray, isNull } from 'drizzle-orm';
import { OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import type { AgentTaken } from '../accounts/accounts.ts';
import { connections, connectionTokens } from './schema.ts';

/** Ends the connections of the apps that a human let in: where the agent is given to them again, they let them in again. */
export const endConnections: AgentTaken = async (tx, services, { tenantId, userId }) => {
  const ofTenant = eq(connections.tenantId, tenantId);
  const ended = await tx
    .update(connections)
    .set({ revokedAt: services.clock() })
    .where(and(ofTenant, eq(connections.userId, userId), isNull(connections.revokedAt)))
    .returning({ id: connections.id });
  if (ended.length === 0) return;
  const ids = ended.map(({ id }) => id);
  const ofThem = inArray(connectionTokens.connectionId, ids);
  await tx.delete(connectionTokens).where(and(eq(connectionTokens.tenantId, tenantId), ofThem));
  for (const id of ids) {
    const facts = { act: 'connection.revoked', by: OPERATOR, touched: { connection_id: id } };
    await appendToAuditLog(tx, services, [tenantId], facts);
  }
};
