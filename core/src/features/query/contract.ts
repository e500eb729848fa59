import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

const QUERY_SORTS = ['occurred_at', 'updated_at', 'importance'] as const;

const filters = z.strictObject({
  user_id: field.userOrAll.optional(),
  space_id: field.spaceId.optional(),
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
});

/** The arguments of the tool, to which the order of a list means little. */
export const queryToolInput = filters.refine(field.isPeriod, field.NO_PERIOD);

export const queryRoutes = {
  /** Finds memories by exact filters, newest `occurred_at` first. */
  query: route({
    method: 'POST',
    path: '/memories/query',
    alsoGet: '/memories/query',
    access: 'read',
    metering: 'limited',
    users: 'both',
    spaces: 'read',
    summary: 'Find memories by exact filters',
    request: filters
      .extend({
        source: field.source.optional().meta({ description: 'Only what this source wrote last.' }),
        sort: z
          .enum(QUERY_SORTS)
          .default('occurred_at')
          .meta({ description: 'What the list is sorted by. A cursor holds for one order only.' }),
        order: z.enum(['desc', 'asc']).default('desc'),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ memories: z.array(memory), next_cursor: z.string().nullable() }),
    idempotent: false,
  }),
};
