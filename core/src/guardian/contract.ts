import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';

/** The fields of a memory the Guardian compares, as they are or as they would become. */
export const guardedFields = z.object({
  type: field.memoryType,
  content: z.string(),
  category: field.category.nullable(),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.number(),
  occurred_at: field.instant,
});

/** A change to a protected core memory that waits to be decided. Design 5, Guardian. */
export const guardianEntry = z.object({
  id: z.uuid(),
  memory_id: z.uuid(),
  current: guardedFields,
  proposed: guardedFields,
  /** 1 - similarity of the old and the new content, 0..1. */
  drift: z.number(),
  /**
   * `cooling`: pending until `cooling_until`; `waiting`: cooled, and too large a change to apply without the human;
   * `applied`: cooled and applied; the others say who decided earlier.
   */
  status: z.enum(['cooling', 'waiting', 'applied', 'approved', 'rejected', 'withdrawn']),
  requested_at: field.instant,
  cooling_until: field.instant,
  decided_at: field.instant.nullable(),
  reason: z.string().nullable(),
});
export type GuardianEntry = z.output<typeof guardianEntry>;

export const guardianRoutes = {
  /** Changes to protected core memories, newest first. */
  guardianQueue: route({
    method: 'GET',
    path: '/guardian',
    access: 'read',
    metering: 'free',
    summary: 'List Guardian entries',
    spec: 'Design 5, Guardian',
    request: z.strictObject({
      status: guardianEntry.shape.status.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ entries: z.array(guardianEntry), next_cursor: z.string().nullable() }),
  }),
};
