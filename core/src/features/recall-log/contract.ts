import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

/** One recall: what was asked, by whom, and what came back. */
const loggedRecall = z.object({
  id: z.uuid(),
  at: field.instant,
  /** Secrets are taken out. Empty for a recall over all users: its words may be those of one. */
  query: z.string(),
  source: memory.shape.source,
  /** Best first, as far as the caller may know of them. A memory may be archived or erased since. */
  results: z.array(z.object({ id: z.uuid(), similarity: z.number() })),
  /** Whether only words were compared, since the embedder was away. */
  degraded: z.boolean(),
  /** How long it took, in milliseconds; null for a human from whom the agent withholds memories, as these take time, too. */
  took_ms: z.number().nullable(),
});
export type LoggedRecall = z.output<typeof loggedRecall>;

export const recallLogRoutes = {
  /** What was recalled lately, newest first. */
  recalls: route({
    method: 'GET',
    path: '/recalls',
    access: 'read',
    metering: 'free',
    users: 'own',
    summary: 'Show what was asked of recall lately, and what came back',
    request: z
      .strictObject({
        user_id: field.userId.optional(),
        limit: field.limit.default(20),
        cursor: field.cursor.optional(),
        /** Only those that brought this memory back. */
        memory_id: field.id.optional(),
        since: field.since.optional(),
        until: field.until.optional(),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ recalls: z.array(loggedRecall), next_cursor: z.string().nullable() }),
  }),
};
