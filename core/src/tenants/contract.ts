import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';

/** The account an agent lives in. Spec: Resources, Tenant. */
export const tenant = z.object({
  id: z.uuid(),
  display_name: z.string(),
  plan: z.enum(['trial', 'standard', 'local']),
  trial_expires_at: field.instant.optional(),
});

/** What an agent or a human is called. */
export const displayName = field.text(100).refine((value) => value.trim() !== '', 'must not be blank');

export const usage = z.object({ operations_this_month: z.int(), operations_limit: z.int() });

export const statusRoutes = {
  /** The tenant, its use of the plan, and how many memories of each type it has. */
  status: route({
    method: 'GET',
    path: '/status',
    access: 'read',
    metering: 'free',
    summary: 'Tenant, usage and counts',
    spec: 'Endpoints, Status: GET /status',
    request: z.strictObject({}),
    response: z.object({ tenant, usage, counts: field.counts }),
  }),
  /** Calls the agent something else. */
  renameTenant: route({
    method: 'PATCH',
    path: '/tenant',
    access: 'human',
    metering: 'free',
    summary: 'Rename the agent',
    spec: 'Resources, Tenant: display_name; design 7',
    request: z.strictObject({ display_name: displayName }),
    response: z.object({ tenant }),
  }),
};

/** An API key without its secret. */
export const apiKey = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(['full', 'read']),
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
});

export const apiKeyRoutes = {
  /** All API keys of the tenant, newest first, ended ones too: what they wrote still names them. */
  apiKeys: route({
    method: 'GET',
    path: '/api-keys',
    access: 'human',
    metering: 'free',
    summary: 'List the API keys',
    spec: 'Design 5, API keys',
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
    spec: 'Design 5, API keys',
    request: z.strictObject({
      name: field.key,
      scope: z.enum(['full', 'read']).default('full'),
      /** In the future; without it the key does not expire. */
      expires_at: field.timestamp.optional(),
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
    spec: 'Design 5, API keys',
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
    spec: 'Design 5, API keys',
    request: byId,
    response: z.object({ api_key: apiKey }),
  }),
};
