import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { tenant } from '../../kernel/contract/tenant.ts';
import { distressSignal } from '../distress/contract.ts';
import { stabilityRoutes } from '../guardian/stability/contract.ts';
import { guardianEntry, memory } from '../records/contract.ts';
import { usage } from '../tenant/contract.ts';
import { visibilitySettings } from '../visibility/contract.ts';

/** A space that the agent reads beside its own memory. */
const sharedSpace = z.object({
  id: z.uuid(),
  name: z.string(),
  counts: field.counts,
  guardian: z.array(guardianEntry),
  unconfirmed: z.array(guardianEntry),
});

export const dashboardRoutes = {
  /** What the agent's human looks at first, in one answer. */
  dashboard: route({
    method: 'GET',
    path: '/dashboard',
    access: 'read',
    metering: 'free',
    readsSpaces: true,
    summary: 'Overview for the human',
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
      /** Protected memories that the agent stored and the human has not confirmed. */
      unconfirmed: z.array(guardianEntry),
      /** The agent's spaces, and what waits in those where the caller decides: the human in all, an agent where it manages. */
      spaces: z.array(sharedSpace),
      stability: stabilityRoutes.stability.response.shape.stability,
      visibility: visibilitySettings,
      /** The newest distress signal that the human has not heard; an API key may have acknowledged it. */
      distress: distressSignal.nullable(),
    }),
  }),
};
