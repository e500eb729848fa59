import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { memory } from '../memory/contract.ts';

/** A recalled memory: what it says and how probably it is relevant, 0..1. */
const recalled = memory
  .pick({
    id: true,
    type: true,
    content: true,
    category: true,
    key: true,
    tags: true,
    occurred_at: true,
    derived_from: true,
    superseded_by: true,
  })
  .extend({ similarity: z.number(), importance: z.number(), session_id: z.string().optional() });
export type Recalled = z.output<typeof recalled>;

export const recallRoutes = {
  /** Finds memories by meaning, best first. */
  recall: route({
    method: 'POST',
    path: '/memories/recall',
    alsoGet: '/memories/search',
    access: 'read',
    metering: 'limited',
    summary: 'Find memories by meaning',
    spec: 'Endpoints, Recall and query: POST /memories/recall',
    request: z.strictObject({
      query: field
        .text(field.LIMITS.queryCharacters)
        .refine((value) => value.trim() !== '', 'must not be blank'),
      types: z.array(field.memoryType).min(1).optional(),
      /** Most results; default 10, or as many as fit when `max_tokens` is given. */
      limit: field.limit.optional().meta({ default: 10 }),
      threshold: z.number().min(0).max(1).default(0.5),
      category: field.category.optional(),
      tags: field.tags.optional(),
      since: field.since.optional(),
      until: field.until.optional(),
      session_id: field.sessionId.optional(),
      /** The best results whose contents together stay within this many o200k tokens. */
      max_tokens: z.int().min(1).max(200_000).optional(),
    }),
    response: z.object({
      results: z.array(recalled),
      /** True when the embedder was away and only words were compared. */
      degraded: z.boolean().optional(),
    }),
    idempotent: false,
  }),
};
