import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { route } from '../../kernel/contract/route.ts';
import { memory } from '../records/contract.ts';

/** The signals of the ranking. Each can be left out to measure its effect (`npm run eval`). */
export const RECALL_SIGNALS = [
  /** The query's words in the memory. */
  'words',
  /** Nearness of meaning. */
  'vectors',
  /** The time that the query names or asks for. */
  'time',
  'importance',
  /** Memories next to it in the same session. */
  'neighbours',
  /** The text itself: a quotation of the query, its speaker, a time, a question. */
  'wording',
  /** That a newer memory contradicts it. */
  'newer',
  /** That a better result says the same. */
  'copies',
] as const;
/** A signal of the ranking, by the name that an explanation gives it. */
export type RecallSignal = (typeof RECALL_SIGNALS)[number];

declare module '../../kernel/context/hooks.ts' {
  interface ChangingHooks {
    /** A recall before it runs. */
    'recall:before': ParsedOf<typeof recallRoutes.recall>;
    /** The results of a recall, best first; may be reranked or cut. */
    'recall:after': readonly Recalled[];
  }
}

declare module '../../kernel/context/context.ts' {
  interface EngineSettings {
    /** Memories of a tenant up to which recall looks at all of them; its vectors get an index above. Default 10,000. */
    readonly recallExactUpTo: number;
    /** Bytes that the memories of busy tenants may take in this process, so that recall searches them here; 0 for none. Default 64 MiB. */
    readonly recallHeldBytes: number;
    /** Days for which recalls are kept in the log; 0 keeps none. Default 7. */
    readonly recallLogDays: number;
    /** What recall does not look at, to measure what it gives; default nothing. */
    readonly recallWithout: readonly RecallSignal[];
  }
}

/** A recalled memory: what it says, and its similarity: how probably it is relevant, beside the best for this query, 0..1. */
export const recalled = memory
  .pick({
    id: true,
    type: true,
    content: true,
    category: true,
    key: true,
    tags: true,
    occurred_at: true,
    valid_from: true,
    valid_to: true,
    metadata: true,
    derived_from: true,
    superseded_by: true,
    user_id: true,
    space_id: true,
  })
  .extend({
    similarity: z.number(),
    importance: z.number(),
    /** Who said the content, whoever tagged or restored it since. Absent where the agent itself did. */
    content_source: field.source.optional(),
    session_id: z.string().optional(),
    /**
     * Ids of newer memories that say otherwise, so that this one perhaps holds no longer, and nobody has decided. They need not be among
     * the results: by its id each can be read.
     */
    conflicts_with: z.array(z.uuid()).optional(),
    /** Of a long memory, the passage that matched: its text, and its place in the content in UTF-16 code units. */
    passage: z.object({ text: z.string(), start: z.int(), end: z.int() }).optional(),
    /** With `include_times`: when it was stored, and last changed. */
    created_at: field.instant.optional(),
    updated_at: field.instant.optional(),
    /** True when `max_content_characters` cut the content. */
    truncated: z.boolean().optional(),
    /**
     * With `explain`: what each signal gave. The parts add up to the total, by which results are ordered; demotions are negative.
     * Names: `word: ...` for each word of the query by its stem, `meaning`, `time`, `importance`, `copies`, `wording`,
     * `neighbours`, `reranker`, `supersession`.
     */
    explanation: z
      .object({ total: z.number(), parts: z.array(z.object({ name: z.string(), value: z.number() })) })
      .optional(),
  });
/** A memory that a recall found, with how well it answers. */
export type Recalled = z.output<typeof recalled>;

/** Where the line lay that results had to reach, and the best that are none. */
const explained = z.object({
  /** The total of a memory whose similarity is the threshold; null where none reaches it. */
  least_total: z.number().nullable(),
  left_out: z.array(z.object({ id: z.uuid(), total: z.number(), reason: z.string() })),
});
export type Explained = z.output<typeof explained>;

/** The same with the results, told by reference. */
export const explainedRecall = explained.extend({
  results: z.array(recalled.pick({ id: true, similarity: true, explanation: true })),
});
export type ExplainedRecall = z.output<typeof explainedRecall>;

export const recallRoutes = {
  /** Finds memories by meaning, best first. */
  recall: route({
    method: 'POST',
    path: '/memories/recall',
    alsoGet: '/memories/search',
    access: 'read',
    metering: 'limited',
    users: 'both',
    spaces: 'read',
    verifiesKeyOnCommit: true,
    summary: 'Find memories by meaning',
    request: z
      .strictObject({
        user_id: field.userOrAll.optional(),
        space_id: field.spaceId.optional(),
        query: field.nonBlankText(field.LIMITS.queryCharacters),
        types: field.memoryTypes.optional(),
        /** Most results; default 10, or as many as fit when `max_tokens` is given. */
        limit: field.limit.optional().meta({ default: 10 }),
        threshold: z.number().min(0).max(1).default(0.5),
        category: field.category.optional(),
        tags: field.tags.optional(),
        since: field.since.optional(),
        until: field.until.optional(),
        session_id: field.sessionId.optional(),
        ...field.validity,
        include_times: z
          .boolean()
          .default(false)
          .meta({ description: 'Also `created_at` and `updated_at` of each result.' }),
        explain: z
          .boolean()
          .default(false)
          .meta({ description: 'Also why: what each signal gave each result, and what was left out.' }),
        /** The best results whose contents together stay within this many o200k tokens. */
        max_tokens: z.int().min(1).max(200_000).optional(),
        /** A content of more characters is cut to the passage that matched. */
        max_content_characters: z.int().min(1).max(field.LIMITS.contentCharacters).optional(),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({
      results: z.array(recalled),
      /** True when the embedder was away and only words were compared. */
      degraded: z.boolean().optional(),
      /** With `explain`. */
      explained: explained.optional(),
    }),
    idempotent: false,
  }),
  /** The memories that say something like it, best first. */
  similar: route({
    method: 'GET',
    path: '/memories/{id}/similar',
    access: 'read',
    metering: 'free',
    users: 'first',
    spaces: 'read',
    summary: 'Find memories like one',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      id: field.id,
      limit: z.int().min(1).max(20).default(5),
      threshold: z.number().min(0).max(1).default(0.5),
    }),
    response: z.object({ results: z.array(recalled) }),
  }),
};
