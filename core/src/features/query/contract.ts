import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

export const queryRoutes = {
  /** Finds memories by exact filters, newest `occurred_at` first. */
  query: route({
    method: 'POST',
    path: '/memories/query',
    alsoGet: '/memories/query',
    access: 'read',
    metering: 'limited',
    summary: 'Find memories by exact filters',
    request: z
      .strictObject({
        type: field.memoryType.optional(),
        category: field.category.optional(),
        tags: field.tags.optional(),
        since: field.since.optional(),
        until: field.until.optional(),
        key: field.key.optional(),
        session_id: field.sessionId.optional(),
        importance_min: field.importance.optional(),
        entity: field.text(256).optional(),
        ...field.validity,
        limit: field.limit.default(10),
        cursor: field.cursor.optional(),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ memories: z.array(memory), next_cursor: z.string().nullable() }),
    idempotent: false,
  }),
};
