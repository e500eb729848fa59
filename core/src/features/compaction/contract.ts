import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import type { OutputOf, ParsedOf } from '../../kernel/contract/route.ts';
import { route } from '../../kernel/contract/route.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { framework } from '../compaction-log/contract.ts';

declare module '../../kernel/context/hooks.ts' {
  interface ChangingHooks {
    /** A compaction call before anything is stored. */
    'compaction:before': ParsedOf<typeof compactionRoutes.compaction>;
  }
  interface NotifyingHooks {
    'compaction:after': OutputOf<typeof compactionRoutes.compaction>;
  }
}

/** A hundred years. */
const MOST_WAITED_MS = 36_525 * DAY_MS;

/** One turn of a conversation that is about to be compacted away. */
const turn = z.strictObject({
  role: field.text(64),
  content: field.text(field.LIMITS.documentCharacters),
  occurred_at: field.timestamp.optional(),
  /** Names the turn where its host does: what was said under an id is kept once, in whichever session it is sent. */
  id: field.text(256).optional(),
  /** For how long the caller has had the turn, in milliseconds: of a user who was forgotten since, it is not kept. */
  waited_ms: z.int().min(0).max(MOST_WAITED_MS).optional(),
});
export type CompactionTurn = z.output<typeof turn>;

const TRANSCRIPT_CHARACTERS = 2_097_152;
const turns = z
  .array(turn)
  .max(2_000)
  .refine(
    (all) => all.reduce((sum, { content }) => sum + content.length, 0) <= TRANSCRIPT_CHARACTERS,
    `must be at most ${TRANSCRIPT_CHARACTERS} characters in all`,
  );

export const compactionRoutes = {
  /** Called around compaction: keeps what is about to be lost and answers with what restores the agent. */
  compaction: route({
    method: 'POST',
    path: '/webhooks/compaction',
    access: 'write',
    metering: 'counted',
    users: 'own',
    spaces: 'write',
    readsSpaces: true,
    summary: 'Save before, or restore after, a compaction',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      context_hint: field.text(field.LIMITS.queryCharacters).optional(),
      include_semantic: z.boolean().optional(),
      phase: z.enum(['pre', 'post']).default('post'),
      session_id: field.sessionId.optional(),
      /** The agent framework that calls. */
      framework: framework.optional(),
      /** What a call of phase `pre` comes before: a compaction, or none, as at the end of a turn. */
      flush: z.enum(['compaction', 'turn']).default('compaction'),
      ...field.injectionLimits,
      /** False where nobody reads the injection: it is answered empty, and a flush without a compaction is faster. */
      include_injection: z.boolean().default(true),
      transcript: z.union([field.text(field.LIMITS.documentCharacters), turns]).optional(),
    }),
    response: z.object({
      injection: z.string(),
      estimated_tokens: z.int(),
      redacted: field.redacted,
      metadata: z.object({
        is_post_compaction: z.boolean(),
        timestamp: field.instant,
        /** Turns of the transcript kept by this call; those kept before are not counted again. */
        stored_turns: z.int(),
      }),
    }),
  }),
};
