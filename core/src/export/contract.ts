import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { memory } from '../memory/contract.ts';

/** Everything an agent remembers, as one document. Spec: Resources, Export document. */
const exportDocument = z.object({
  version: z.literal('1'),
  exported_at: field.instant,
  tenant_id: z.uuid(),
  memories: z.object({
    core: z.array(memory),
    working: z.array(memory),
    episodic: z.array(memory),
    semantic: z.array(memory),
  }),
});

export const exportRoutes = {
  /** Every active memory, grouped by type. */
  export: route({
    method: 'GET',
    path: '/export',
    alsoGet: '/memories/export',
    access: 'read',
    metering: 'counted',
    summary: 'Export all memories as JSON',
    spec: 'Endpoints, Status: GET /export, GET /memories/export',
    request: z.strictObject({}),
    response: z.object({ export: exportDocument }),
  }),
};
