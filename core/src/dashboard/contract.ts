import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { distressSignal } from '../distress/contract.ts';
import { guardianEntry } from '../guardian/contract.ts';
import { memory } from '../memory/contract.ts';
import { stabilityRoutes } from '../stability/contract.ts';
import { tenant, usage } from '../tenants/contract.ts';
import { visibilitySettings } from '../visibility/contract.ts';

export const dashboardRoutes = {
  /** What the agent's human looks at first, in one answer. */
  dashboard: route({
    method: 'GET',
    path: '/dashboard',
    access: 'read',
    metering: 'free',
    summary: 'Overview for the human',
    spec: 'Endpoints, Status: GET /dashboard',
    request: z.strictObject({}),
    response: z.object({
      tenant,
      usage,
      counts: field.counts,
      /** The ten newest. */
      recent_episodic: z.array(memory),
      /** The twenty changed last. */
      working: z.array(memory),
      /** Changes that wait for a decision. */
      guardian: z.array(guardianEntry),
      stability: stabilityRoutes.stability.response.shape.stability,
      visibility: visibilitySettings,
      /** The open distress signal. */
      distress: distressSignal.nullable(),
    }),
  }),
};
