import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { note, title } from './schedule-contract.ts';

const wipStatus = z.enum(['open', 'done']);

/** A piece of work in progress. */
const wipItem = z.object({
  id: z.uuid(),
  /** The user of the agent that it concerns. */
  user_id: z.string().optional(),
  title: z.string(),
  /** Where it stands. */
  note: z.string().nullable(),
  status: wipStatus,
  created_at: field.instant,
  updated_at: field.instant,
  source: field.provenance,
});
export type WipItem = z.output<typeof wipItem>;

const byId = z.strictObject({ id: field.id });
const changes = z.strictObject({
  title: title.optional(),
  note: note.nullable().optional(),
  status: wipStatus.optional(),
});

export const wipRoutes = {
  /** Work by the time of its last change, newest first. */
  wipItems: route({
    method: 'GET',
    path: '/wip',
    access: 'read',
    metering: 'free',
    users: 'both',
    summary: 'List works in progress',
    request: z.strictObject({
      user_id: field.userOrAll.optional(),
      status: wipStatus.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ items: z.array(wipItem), next_cursor: z.string().nullable() }),
  }),
  /** Adds a piece of work; it appears in boot until it is done. */
  createWipItem: route({
    method: 'POST',
    path: '/wip',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Add a work in progress',
    request: z.strictObject({ user_id: field.userId.optional(), title, note: note.optional() }),
    response: z.object({ outcome: z.literal('created'), item: wipItem, redacted: field.redacted }),
  }),
  /** One piece of work. */
  wipItem: route({
    method: 'GET',
    path: '/wip/{id}',
    access: 'read',
    metering: 'free',
    users: 'first',
    summary: 'Read one work in progress',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: wipItem }),
  }),
  /** Changes the named fields and keeps the others. */
  updateWipItem: route({
    method: 'PATCH',
    path: '/wip/{id}',
    access: 'write',
    metering: 'limited',
    users: 'own',
    summary: 'Change or finish a work in progress',
    request: changes
      .extend({ user_id: field.userId.optional(), id: field.id })
      .refine(({ id: _, user_id: __, ...rest }) => Object.values(rest).some((value) => value !== undefined), {
        path: [],
        message: `name at least one field to change: ${Object.keys(changes.shape).join(', ')}`,
      }),
    response: z.object({ item: wipItem, redacted: field.redacted }),
  }),
  /** Removes a piece of work for good. */
  deleteWipItem: route({
    method: 'DELETE',
    path: '/wip/{id}',
    access: 'write',
    metering: 'counted',
    users: 'own',
    summary: 'Remove a work in progress',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ item: wipItem }),
  }),
};
