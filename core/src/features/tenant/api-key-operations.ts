import type { z } from 'zod';
import type { Operation } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import { type ApiKeyRecord, createApiKeys } from '../../kernel/tenancy/api-keys.ts';
import type { apiKey, apiKeyRoutes } from './contract.ts';

const MAX_ACTIVE = 100;

/** Shows all keys. */
export const listApiKeys: Operation<typeof apiKeyRoutes.apiKeys> = async (context) => {
  const keys = await createApiKeys(context).list(context.tenantId);
  return { api_keys: keys.map((key) => present(key, context.now)) };
};

/** Makes a key. */
export const createApiKey: Operation<typeof apiKeyRoutes.createApiKey> = async (
  context,
  { name, scope, expires_at },
) => {
  const { now, tenantId } = context;
  if (expires_at && expires_at <= now) throw invalid('expires_at', 'must be in the future');
  const keys = createApiKeys(context);
  const active = (await keys.list(tenantId)).filter((key) => statusOf(key, now) === 'active');
  if (active.length >= MAX_ACTIVE) {
    throw new SvcError(
      'CONFLICT',
      `There are ${MAX_ACTIVE} active API keys, the most there can be. Revoke one.`,
    );
  }
  const { secret, ...key } = await keys.create(tenantId, {
    name,
    scope,
    ...(expires_at ? { expiresAt: expires_at } : {}),
  });
  return { outcome: 'created', api_key: present(key, now), secret };
};

/** Replaces a key. */
export const rotateApiKey: Operation<typeof apiKeyRoutes.rotateApiKey> = async (
  context,
  { id, overlap_hours },
) => {
  const { old, key } = await createApiKeys(context).rotate(context.tenantId, id, overlap_hours);
  const { now } = context;
  return {
    outcome: 'created',
    api_key: present(key, now),
    secret: key.secret,
    replaced: present(old, now),
  };
};

/** Ends a key. */
export const revokeApiKey: Operation<typeof apiKeyRoutes.revokeApiKey> = async (context, { id }) => ({
  api_key: present(await createApiKeys(context).revoke(context.tenantId, id), context.now),
});

function statusOf({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): z.output<typeof apiKey>['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

function present(key: ApiKeyRecord, now: Date): z.output<typeof apiKey> {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    status: statusOf(key, now),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_address: key.lastUsedAddress,
    replaced_by: key.replacedBy,
  };
}
