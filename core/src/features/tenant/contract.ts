import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { tenant } from '../../kernel/contract/tenant.ts';
import { distressState } from '../distress/contract.ts';

export const usage = z.object({ operations_this_month: z.int(), operations_limit: z.int() });

/** What operations count against: the plan, and the calendar month (UTC) that is running. The service itself charges nothing. */
const billing = z.object({
  plan: tenant.shape.plan,
  period_start: field.instant,
  /** When the next period starts, and the count of operations with it. */
  period_end: field.instant,
});

/** Room that memories take. */
const storage = z.object({
  /** Bytes (UTF-8) of the contents of the active memories, without their versions, vectors and indexes. */
  memory_bytes: z.int(),
  /** True of agents with many memories: the mean size of the latest of each type, times their number. */
  is_estimate: z.boolean(),
});

export const statusRoutes = {
  /**
   * The tenant, its use of the plan, and how many memories of each type it has. `storage` is left out for a human from
   * whom the agent withholds anything: a size tells of contents.
   */
  status: route({
    method: 'GET',
    path: '/status',
    access: 'read',
    metering: 'free',
    users: 'open',
    summary: 'Tenant, usage, billing period, counts and storage',
    request: z.strictObject({}),
    response: z.object({
      tenant,
      /** The user of the agent that the key is bound to. */
      user_id: z.string().optional(),
      usage,
      billing,
      counts: field.counts,
      storage: storage.optional(),
      distress: distressState,
    }),
  }),
  /** Calls the agent something else. */
  renameTenant: route({
    method: 'PATCH',
    path: '/tenant',
    access: 'human',
    humanDecides: true,
    metering: 'free',
    summary: 'Rename the agent',
    request: z.strictObject({ display_name: field.displayName }),
    response: z.object({ tenant, redacted: field.redacted }),
  }),
};

/** An API key without its secret. */
export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(field.KEY_SCOPES),
  /** The user of the agent that it is bound to; null for a key of the agent's own. */
  user_id: z.string().nullable(),
  /** The last four characters of the key; null until a key from before they were kept is used. */
  last_four: z.string().nullable(),
  status: z.enum(['active', 'expired', 'revoked']),
  created_at: field.instant,
  expires_at: field.instant.nullable(),
  revoked_at: field.instant.nullable(),
  /** To the minute. */
  last_used_at: field.instant.nullable(),
  last_used_address: z.string().nullable(),
  /** Id of the key that takes the place of this one. */
  replaced_by: z.uuid().nullable(),
});

const byId = z.strictObject({ id: field.id });
const made = z.object({
  outcome: z.literal('created'),
  api_key: apiKey,
  /** `svc_…`; shown this once. */
  secret: z.string(),
  redacted: field.redacted,
});

export const apiKeyRoutes = {
  /** All API keys of the tenant, newest first, ended ones too: what they wrote still names them. */
  apiKeys: route({
    method: 'GET',
    path: '/api-keys',
    access: 'human',
    metering: 'free',
    summary: 'List the API keys',
    request: z.strictObject({}),
    response: z.object({ api_keys: z.array(apiKey) }),
  }),
  /** Makes an API key. */
  createApiKey: route({
    method: 'POST',
    path: '/api-keys',
    access: 'human',
    metering: 'free',
    summary: 'Make an API key',
    request: z.strictObject({
      name: field.key,
      scope: z.enum(field.KEY_SCOPES).default('full'),
      /** In the future; without it the key does not expire. */
      expires_at: field.timestamp.optional(),
      /** Binds the key to one user: whatever it sends, it sees and writes nothing of other users. */
      user_id: field.userId.optional(),
    }),
    response: made,
    errors: ['CONFLICT'],
    idempotent: false,
  }),
  /** Makes a key of the same name, scope and lifetime, and ends the old one after an overlap. */
  rotateApiKey: route({
    method: 'POST',
    path: '/api-keys/{id}/rotate',
    access: 'human',
    metering: 'free',
    summary: 'Replace an API key',
    request: byId.extend({
      /** Hours both keys work, 0..720; 0 ends the old one now. */
      overlap_hours: z.number().min(0).max(720).default(24),
    }),
    response: made.extend({ replaced: apiKey }),
    errors: ['CONFLICT'],
    idempotent: false,
  }),
  /** Ends an API key at once. */
  revokeApiKey: route({
    method: 'DELETE',
    path: '/api-keys/{id}',
    access: 'human',
    metering: 'free',
    summary: 'Revoke an API key',
    request: byId,
    response: z.object({ api_key: apiKey }),
  }),
};

export const sessionRoutes = {
  /**
   * Makes a new session key; the one before ends with it. It tells the agent from its human, who never sees it. It is
   * no second factor: whoever has the API key can make one.
   */
  sessionKey: route({
    method: 'POST',
    path: '/session-key',
    access: 'agent',
    metering: 'counted',
    summary: 'Get a new session key',
    request: z.strictObject({}),
    response: z.object({ session_key: z.string(), expires_at: field.instant }),
    idempotent: false,
  }),
};
