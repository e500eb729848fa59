import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/runtime/durations.ts';
import { nextDelivery } from './claim.ts';
import { eventRoutes } from './contract.ts';
import { listEventDeliveries, replayEventDelivery, testEventEndpoint } from './deliveries.ts';
import { createDeliveryTask } from './delivery-task.ts';
import {
  createEventEndpoint,
  deleteEventEndpoint,
  listEventEndpoints,
  rotateEventSecret,
  turnOffEndpoints,
  updateEventEndpoint,
} from './manage-endpoints.ts';
import { forgetOldEvents } from './retention.ts';

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  routes: eventRoutes,
  acts: {
    'event_endpoint.created': 'account',
    'event_endpoint.updated': 'account',
    'event_endpoint.deleted': 'account',
    'event_endpoint.secret_rotated': 'account',
  },
  agentTaken: turnOffEndpoints,
  operations: {
    eventEndpoints: listEventEndpoints,
    createEventEndpoint,
    updateEventEndpoint,
    deleteEventEndpoint,
    rotateEventSecret,
    testEventEndpoint,
    eventDeliveries: listEventDeliveries,
    replayEventDelivery,
  },
  tasks: () => [
    {
      name: 'events.deliver',
      everyMs: SECOND_MS,
      overlapping: true,
      run: createDeliveryTask(),
      nextDue: nextDelivery,
    },
    { name: 'events.forget-old', everyMs: HOUR_MS, deletesByAge: true, run: untilDone(forgetOldEvents) },
  ],
});
