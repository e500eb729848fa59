import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { provenance } from '../memory/contract.ts';

/** A call of the agent for its human's help. */
export const distressSignal = z.object({
  id: z.uuid(),
  status: z.enum(['open', 'acknowledged']),
  opened_at: field.instant,
  /** What the agent said, oldest first. */
  messages: z.array(z.object({ context: z.string(), at: field.instant })),
  acknowledged_at: field.instant.nullable(),
  acknowledged_by: provenance.nullable(),
});
export type DistressSignal = z.output<typeof distressSignal>;

export const distressRoutes = {
  /** Opens a signal, or adds to the open one. */
  distress: route({
    method: 'POST',
    path: '/distress',
    access: 'agent',
    metering: 'counted',
    summary: 'Send a distress signal',
    spec: 'Endpoints, Distress: POST /distress',
    request: z.strictObject({
      context: field.text(4_000).refine((value) => value.trim() !== '', 'must not be blank'),
    }),
    response: z.object({ outcome: z.enum(['created', 'updated']), signal: distressSignal }),
  }),
  /** The open signal, if there is one, and those before it, newest first. */
  distressSignals: route({
    method: 'GET',
    path: '/distress',
    access: 'read',
    metering: 'free',
    summary: 'Show distress signals',
    spec: 'Design 5, distress',
    request: z.strictObject({ limit: field.limit.default(20) }),
    response: z.object({ open: distressSignal.nullable(), signals: z.array(distressSignal) }),
  }),
  /** Acknowledges the open signal; who did is kept, since an API key may do it too. */
  acknowledgeDistress: route({
    method: 'DELETE',
    path: '/distress',
    access: 'write',
    metering: 'counted',
    summary: 'Acknowledge the distress signal',
    spec: 'Endpoints, Distress: DELETE /distress',
    request: z.strictObject({}),
    response: z.object({ signal: distressSignal }),
  }),
};
