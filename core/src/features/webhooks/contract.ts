import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

const MOST_FILTERS = 32;

const url = field.text(2_048).meta({ format: 'uri', description: 'Public https address that takes POST.' });
/** `*`, groups such as `guardian.*`, or types of events; the operation knows which there are. */
const filters = z.array(z.string()).min(1).max(MOST_FILTERS);

/** A registered target of events. */
const eventEndpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  events: z.array(z.string()),
  enabled: z.boolean(),
  /** Why the service stopped sending: the target answered 410, or the human switched it off. */
  disabled_reason: z.enum(['gone', 'human']).nullable(),
  /** Since when every attempt failed; null while the last one succeeded. */
  failing_since: z.iso.datetime().nullable(),
  /** Until when the secret before the last rotation signs too. */
  previous_secret_expires_at: z.iso.datetime().nullable(),
  created_at: field.instant,
  updated_at: field.instant,
});
export type EventEndpoint = z.output<typeof eventEndpoint>;

const deliveryAttempt = z.object({
  /** 1 for the first try since the event happened or was replayed. */
  attempt: z.int(),
  at: field.instant,
  /** Null where no answer came. */
  status_code: z.int().nullable(),
  /** Milliseconds from the start to the end of the answer. */
  ms: z.int(),
  error: z.string().nullable(),
  /** Start of the answer, at most 256 characters. */
  response_excerpt: z.string().nullable(),
});

/** One event on its way to one endpoint. */
const eventDelivery = z.object({
  id: z.uuid(),
  /** The `webhook-id` header, the same in every attempt: receivers drop what they already have by it. */
  event_id: z.uuid(),
  type: z.string(),
  /** `dead`: given up after the last attempt; a replay starts over. */
  status: z.enum(['pending', 'delivered', 'dead']),
  created_at: field.instant,
  next_attempt_at: field.instant.nullable(),
  /** The latest 20, oldest first. */
  attempts: z.array(deliveryAttempt),
});
export type EventDelivery = z.output<typeof eventDelivery>;

const secret = z
  .string()
  .meta({ description: 'Standard Webhooks secret, `whsec_…`; shown here and never again.' });

export const eventRoutes = {
  /** Targets of events, oldest first. */
  eventEndpoints: route({
    method: 'GET',
    path: '/event-endpoints',
    access: 'human',
    metering: 'free',
    summary: 'List event endpoints',
    request: z.strictObject({}),
    response: z.object({ endpoints: z.array(eventEndpoint) }),
  }),
  /** Registers a target. Addresses that are not public are refused. */
  createEventEndpoint: route({
    verbatim: ['url'],
    method: 'POST',
    path: '/event-endpoints',
    access: 'human',
    metering: 'free',
    summary: 'Register an event endpoint',
    request: z.strictObject({ url, events: filters.default(['*']) }),
    response: z.object({ outcome: z.literal('created'), endpoint: eventEndpoint, secret }),
    errors: ['CONFLICT'],
    idempotent: false,
  }),
  /** Changes the target or its events, or switches it on or off; what waited while it was off is sent then. */
  updateEventEndpoint: route({
    verbatim: ['url'],
    method: 'PATCH',
    path: '/event-endpoints/{id}',
    access: 'human',
    metering: 'free',
    summary: 'Change an event endpoint',
    request: z.strictObject({
      id: field.id,
      url: url.optional(),
      events: filters.optional(),
      enabled: z.boolean().optional(),
    }),
    response: z.object({ endpoint: eventEndpoint }),
  }),
  /** Removes a target with its delivery log. */
  deleteEventEndpoint: route({
    method: 'DELETE',
    path: '/event-endpoints/{id}',
    access: 'human',
    metering: 'free',
    summary: 'Remove an event endpoint',
    request: z.strictObject({ id: field.id }),
    response: z.object({ endpoint: z.object({ id: z.uuid() }) }),
  }),
  /** Makes a new secret; for 24 hours the one before signs too, unless it cannot be read since `SVC_SECRET` changed. */
  rotateEventSecret: route({
    method: 'POST',
    path: '/event-endpoints/{id}/rotate-secret',
    access: 'human',
    metering: 'free',
    summary: 'Rotate the secret of an event endpoint',
    request: z.strictObject({ id: field.id }),
    response: z.object({ endpoint: eventEndpoint, secret }),
    idempotent: false,
  }),
  /** Sends an event of type `endpoint.test`, once; the delivery log tells how it went. */
  testEventEndpoint: route({
    method: 'POST',
    path: '/event-endpoints/{id}/test',
    access: 'human',
    metering: 'free',
    summary: 'Send a test event',
    request: z.strictObject({ id: field.id }),
    response: z.object({ outcome: z.literal('queued'), delivery: eventDelivery }),
    errors: ['CONFLICT'],
  }),
  /** The delivery log, newest first; `status=dead` lists the dead letters. */
  eventDeliveries: route({
    method: 'GET',
    path: '/event-endpoints/{id}/deliveries',
    access: 'human',
    metering: 'free',
    summary: 'List deliveries to an event endpoint',
    request: z.strictObject({
      id: field.id,
      status: eventDelivery.shape.status.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ deliveries: z.array(eventDelivery), next_cursor: z.string().nullable() }),
  }),
  /** Sends an event again with the same id, whatever came of it, with all its attempts. */
  replayEventDelivery: route({
    method: 'POST',
    path: '/event-endpoints/{id}/deliveries/{delivery_id}/replay',
    access: 'human',
    metering: 'free',
    summary: 'Replay a delivery',
    request: z.strictObject({ id: field.id, delivery_id: field.id }),
    response: z.object({ outcome: z.literal('queued'), delivery: eventDelivery }),
    errors: ['CONFLICT'],
  }),
};
