import { and, eq, inArray, isNull, type SQL } from 'drizzle-orm';
import { OPERATOR } from '../../kernel/audit/act.ts';
import { appendToAuditLog } from '../../kernel/audit/append.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { AgentTaken } from '../accounts/accounts.ts';
import { connections, connectionTokens } from './schema.ts';

/**
 * Revokes those of a tenant's connections that meet a condition, with their tokens.
 *
 * @returns the ids of those that were not revoked before.
 */
export async function revokeConnections(
  tx: Tx,
  { tenantId, which, now }: { readonly tenantId: string; readonly which: SQL; readonly now: Date },
): Promise<string[]> {
  const revoked = await tx
    .update(connections)
    .set({ revokedAt: now })
    .where(and(eq(connections.tenantId, tenantId), which, isNull(connections.revokedAt)))
    .returning({ id: connections.id });
  const ids = revoked.map(({ id }) => id);
  const ofThem = inArray(connectionTokens.connectionId, ids);
  if (ids.length > 0)
    await tx.delete(connectionTokens).where(and(eq(connectionTokens.tenantId, tenantId), ofThem));
  return ids;
}

/** Ends the connections of the apps that a human let in: where the agent is given to them again, they let them in again. */
export const endConnections: AgentTaken = async (tx, services, { tenantId, userId }) => {
  const which = eq(connections.userId, userId);
  for (const id of await revokeConnections(tx, { tenantId, which, now: services.clock() })) {
    const facts = { act: 'connection.revoked', by: OPERATOR, touched: { connection_id: id } };
    await appendToAuditLog(tx, services, [tenantId], facts);
  }
};
