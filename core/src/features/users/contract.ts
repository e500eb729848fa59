import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

const user = z.object({
  id: z.string(),
  created_at: field.instant,
  /** When something was last written for the user, to the minute. */
  last_seen_at: field.instant,
  /** Active memories about the user. */
  memories: z.int(),
});

/** What was erased of a user, without the user's id: rows by table. */
const erased = z.record(z.string(), z.int());

/** Proves that a user was forgotten; whoever keeps it can show later that this is what was answered. */
const receipt = z.object({
  id: z.uuid(),
  user_id: z.string(),
  erased_at: field.instant,
  erased,
  /** SHA-256 in hex of the JSON text `[id, user_id, erased_at, erased]`, the names in `erased` in order. */
  hash: z.string(),
});
export type Receipt = z.output<typeof receipt>;

export const userRoutes = {
  /** The users that something is stored about, the latest seen first. */
  users: route({
    method: 'GET',
    path: '/users',
    access: 'read',
    metering: 'free',
    summary: 'List the users of the agent',
    request: z.strictObject({
      /** Only users whose ids contain this, in whatever case. */
      contains: field.userIdPart.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ users: z.array(user), next_cursor: z.string().nullable() }),
  }),
  /**
   * Erases all that is stored about a user for good: memories, their history, terms and vectors, sessions, schedule, work in
   * progress, logs, events, and the API keys that are bound to the user. Backups that were made before keep it until they are
   * replaced; where one is restored, it is erased again.
   */
  forgetUser: route({
    method: 'DELETE',
    path: '/users/{user_id}',
    access: 'write',
    metering: 'counted',
    summary: 'Erase all that is stored about a user',
    request: z.strictObject({ user_id: field.userId }),
    response: z.object({ receipt }),
    errors: ['CONFLICT'],
    idempotent: false,
  }),
  /** What is kept of a receipt: its hash, and how many rows were erased. */
  erasure: route({
    method: 'GET',
    path: '/erasures/{id}',
    access: 'read',
    metering: 'free',
    summary: 'Check the receipt of an erasure',
    request: z.strictObject({ id: field.id }),
    response: z.object({ erasure: receipt.omit({ user_id: true }) }),
  }),
};
