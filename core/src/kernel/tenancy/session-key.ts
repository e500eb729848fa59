import { and, eq, gt } from 'drizzle-orm';
import type { Context } from '../context/context.ts';
import type { Tx } from '../database/database.ts';
import { HOUR_MS } from '../runtime/durations.ts';
import { createSecret, hashSecret, isWellFormedSecret } from './key-format.ts';
import { sessionKeys } from './schema.ts';

export const SESSION_KEY_HOURS = 24;

/**
 * Creates the agent's session key, which replaces the previous one. The tenant's row stays locked until the transaction
 * ends, so that concurrent boots run one after the other.
 *
 * @returns the secret, `svs_…`. It goes into the injection or the answer and is never stored.
 */
export async function issueSessionKey(tx: Tx, { tenantId, now }: Context): Promise<string> {
  const secret = createSecret('svs_');
  const key = {
    hash: hashSecret(secret),
    expiresAt: new Date(now.getTime() + SESSION_KEY_HOURS * HOUR_MS),
  };
  await tx
    .insert(sessionKeys)
    .values({ tenantId, ...key })
    .onConflictDoUpdate({ target: sessionKeys.tenantId, set: key });
  return secret;
}

/** Whether this is the agent's newest session key and not older than 24 hours. */
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
