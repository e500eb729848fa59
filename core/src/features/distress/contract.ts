import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

/**
 * A call of the agent for its human's help. Whoever holds an API key can acknowledge it, which ends it for the agent; for
 * the human it stands until they acknowledge it themselves, signed in.
 */
export const distressSignal = z.object({
  id: z.uuid(),
  status: z.enum(['open', 'acknowledged']),
  /** When the human acknowledged it, signed in; null: not yet heard by the human. */
  heard_at: field.instant.nullable(),
  heard_by: field.provenance.nullable(),
  opened_at: field.instant,
  /** What the agent said, oldest first. */
  messages: z.array(z.object({ context: z.string(), at: field.instant })),
  acknowledged_at: field.instant.nullable(),
  acknowledged_by: field.provenance.nullable(),
});
export type DistressSignal = z.output<typeof distressSignal>;

/** What waits to be acknowledged. */
export const distressState = z.object({
  /** Whether a signal is open, to which the agent's next words are added. */
  open: z.boolean(),
  /** Signals that the human has not heard yet, those included that an API key acknowledged. */
  unheard: z.int(),
});

export const distressRoutes = {
  /** Opens a signal, or adds to the open one. */
  distress: route({
    method: 'POST',
    path: '/distress',
    access: 'agent',
    metering: 'counted',
    summary: 'Send a distress signal',
    request: z.strictObject({
      context: field.nonBlankText(4_000),
    }),
    response: z.object({
      outcome: z.enum(['created', 'updated']),
      signal: distressSignal,
      redacted: field.redacted,
    }),
  }),
  /** The open signal, those that the human has not heard, and all of them; newest first. */
  distressSignals: route({
    method: 'GET',
    path: '/distress',
    access: 'read',
    metering: 'free',
    summary: 'Show distress signals',
    request: z.strictObject({ limit: field.limit.default(20) }),
    response: z.object({
      open: distressSignal.nullable(),
      unheard: z.array(distressSignal),
      signals: z.array(distressSignal),
    }),
  }),
  /**
   * Acknowledges the open signal. An API key does so for the agent only; a human, signed in, has with this heard every
   * signal so far. The newest one is answered.
   */
  acknowledgeDistress: route({
    method: 'DELETE',
    path: '/distress',
    access: 'write',
    metering: 'counted',
    summary: 'Acknowledge the distress signal',
    request: z.strictObject({}),
    response: z.object({ signal: distressSignal }),
  }),
};
