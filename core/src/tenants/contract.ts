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
};
