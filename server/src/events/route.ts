import { route } from '@svc-memory/core/contract';
import { z } from 'zod';

/** The live stream of an agent's events. It is no operation of the engine: it lasts for as long as the client listens. */
export const streamRoute = route({
  method: 'GET',
  path: '/events/stream',
  access: 'read',
  metering: 'free',
  summary: 'Follow the events of the agent, its users and spaces as they happen (Server-Sent Events)',
  request: z.strictObject({}),
  response: z.object({}),
  streams: { events: 'text/event-stream' },
});
