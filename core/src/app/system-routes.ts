import { z } from 'zod';
import * as field from '../kernel/contract/fields.ts';
import { route } from '../kernel/contract/route.ts';

/** Routes about the process rather than an agent's memory: the server answers them, not the engine. */
export const systemRoutes = {
  health: route({
    method: 'GET',
    path: '/health',
    access: 'public',
    metering: 'free',
    summary: 'Is the process up',
    request: z.strictObject({}),
    response: z.object({
      status: z.literal('ok'),
      timestamp: field.instant,
      version: z.string(),
      database: z.enum(['pglite', 'postgres']),
    }),
  }),
  ready: route({
    method: 'GET',
    path: '/ready',
    access: 'public',
    metering: 'free',
    summary: 'Can the process answer calls (is its database there)',
    request: z.strictObject({}),
    response: z.object({ status: z.literal('ready'), timestamp: field.instant }),
    errors: ['UNAVAILABLE'],
  }),
};
