import { and, eq, gt } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import { sessionKeys } from './schema.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './secrets.ts';

/** Hours a session key is valid. Design 5, session key. */
export const SESSION_KEY_HOURS = 24;

/**
 * Makes the agent's session key; the one before ends with it. The tenant's row stays locked until the transaction
 * ends, so that concurrent boots come one after the other.
 *
 * @returns the secret, `svs_…`: for the injection or the answer, never to be stored.
 */
export async function issueSessionKey(tx: Tx, { tenantId, now }: Context): Promise<string> {
  const secret = createSecret('svs_');
  const key = {
    hash: hashSecret(secret),
    expiresAt: new Date(now.getTime() + SESSION_KEY_HOURS * 3_600_000),
  };
  await tx
    .insert(sessionKeys)
    .values({ tenantId, ...key })
    .onConflictDoUpdate({ target: sessionKeys.tenantId, set: key });
  return secret;
}

/** True for the newest session key of this agent within its 24 hours. */
export async function verifySessionKey(tx: Tx, { tenantId, now }: Context, secret: string): Promise<boolean> {
  if (!isWellFormedSecret(secret, 'svs_')) return false;
  const found = await tx
    .select({ hash: sessionKeys.hash })
    .from(sessionKeys)
    .where(
      and(
        eq(sessionKeys.tenantId, tenantId),
        eq(sessionKeys.hash, hashSecret(secret)),
        gt(sessionKeys.expiresAt, now),
      ),
    );
  return found.length > 0;
}
