import type { z } from 'zod';
import { auditedBy } from '../../kernel/audit/act.ts';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { type ApiKeyRecord, type ApiKeys, createApiKeys } from '../../kernel/tenancy/api-keys.ts';
import type { apiKey, apiKeyRoutes } from './contract.ts';

const MAX_ACTIVE = 100;

export const listApiKeys: Operation<typeof apiKeyRoutes.apiKeys> = async (context) => {
  const keys = await keysOf(context).list(context.tenantId);
  return { api_keys: keys.map((key) => presentApiKey(key, context.now)) };
};

export const createApiKey: Operation<typeof apiKeyRoutes.createApiKey> = async (
  context,
  { name, scope, expires_at, user_id },
) => {
  const { now, tenantId } = context;
  if (expires_at && expires_at <= now) throw invalid('expires_at', 'must be in the future');
  const draft = {
    name,
    scope,
    ...(expires_at ? { expiresAt: expires_at } : {}),
    ...(user_id === undefined ? {} : { userId: user_id }),
  };
  const { secret, ...key } = await keysOf(context).create(tenantId, draft, MAX_ACTIVE);
  return { outcome: 'created', api_key: presentApiKey(key, now), secret };
};

export const rotateApiKey: Operation<typeof apiKeyRoutes.rotateApiKey> = async (
  context,
  { id, overlap_hours },
) => {
  const { old, key } = await keysOf(context).rotate(context.tenantId, id, overlap_hours, MAX_ACTIVE);
  const { now } = context;
  return {
    outcome: 'created',
    api_key: presentApiKey(key, now),
    secret: key.secret,
    replaced: presentApiKey(old, now),
  };
};

export const revokeApiKey: Operation<typeof apiKeyRoutes.revokeApiKey> = async (context, { id }) => ({
  api_key: presentApiKey(await keysOf(context).revoke(context.tenantId, id), context.now),
});

function keysOf(context: Context): ApiKeys {
  return createApiKeys(context, auditedBy(context.actor));
}

function statusOf({ revokedAt, expiresAt }: ApiKeyRecord, now: Date): z.output<typeof apiKey>['status'] {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
}

/** A key as `GET /api-keys` shows it. */
export function presentApiKey(key: ApiKeyRecord, now: Date): z.output<typeof apiKey> {
  return {
    id: key.id,
    name: key.name,
    scope: key.scope,
    user_id: key.userId,
    last_four: key.lastFour,
    status: statusOf(key, now),
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    last_used_address: key.lastUsedAddress,
    replaced_by: key.replacedBy,
  };
}
