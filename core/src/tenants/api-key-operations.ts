import type { z } from 'zod';
import { invalid, SvcError } from '../contract/errors.ts';
import type { Operation } from '../engine/context.ts';
import { type ApiKeyRecord, createApiKeys } from './api-keys.ts';
import type { apiKey } from './contract.ts';

const MAX_ACTIVE = 100;

/** Shows all keys. Design 5, GET /api-keys. */
export const listApiKeys: Operation<'apiKeys'> = async (context) => {
  const keys = await createApiKeys(context).list(context.tenantId);
  return { api_keys: keys.map((key) => present(key, context.now)) };
};

/** Makes a key. Design 5, POST /api-keys. */
export const createApiKey: Operation<'createApiKey'> = async (context, { name, scope, expires_at }) => {
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

/** Replaces a key. Design 5, POST /api-keys/{id}/rotate. */
export const rotateApiKey: Operation<'rotateApiKey'> = async (context, { id, overlap_hours }) => {
  const { old, key } = await createApiKeys(context).rotate(context.tenantId, id, overlap_hours);
  const { now } = context;
  return {
    outcome: 'created',
    api_key: present(key, now),
    secret: key.secret,
    replaced: present(old, now),
  };
};

/** Ends a key. Design 5, DELETE /api-keys/{id}. */
export const revokeApiKey: Operation<'revokeApiKey'> = async (context, { id }) => ({
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
