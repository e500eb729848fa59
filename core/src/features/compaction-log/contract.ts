import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

/**
 * What happened: `boot` a delivery at the start of a session, `compaction` a flush right before a compaction, `flush`
 * one between, `recovery` a delivery after a compaction.
 */
const MOMENT_KINDS = ['boot', 'compaction', 'flush', 'recovery'] as const;
export type MomentKind = (typeof MOMENT_KINDS)[number];

/**
 * How it went: `ok`; `stale` a delivery from the last `SVC.md`, the service being away; `nothing` no delivery, there
 * being no `SVC.md` either; `spooled` a flush kept on the agent's machine until the service is back.
 */
const MOMENT_OUTCOMES = ['ok', 'stale', 'nothing', 'spooled'] as const;

/** Name of the agent framework a call comes from, such as `claude-code`. */
export const framework = field
  .text(64)
  .regex(/^[a-z0-9][a-z0-9._-]*$/, 'must be lower-case letters, digits, dots and dashes');

/** One flush or delivery. */
const moment = z.object({
  id: z.uuid(),
  at: field.instant,
  kind: z.enum(MOMENT_KINDS),
  outcome: z.enum(MOMENT_OUTCOMES),
  framework: z.string().nullable(),
  session_id: z.string().nullable(),
  /** Turns of a transcript kept by it. */
  stored_turns: z.int().nullable(),
  /** Characters of the injection it answered or delivered. */
  characters: z.int().nullable(),
  /** o200k tokens of that injection; null where an agent's machine reported the delivery. */
  estimated_tokens: z.int().nullable(),
  /** Why it went as it did, where the agent's machine said so. */
  detail: z.string().nullable(),
  /**
   * Of a compaction: whether a recovery of its session followed within 15 minutes (`delivered`), may still follow
   * (`awaited`), or did not (`missing`). Null for what is no compaction.
   */
  recovery: z.enum(['delivered', 'awaited', 'missing']).nullable(),
});
export type Moment = z.output<typeof moment>;

const MOST_REPORTED = 100;

export const compactionLogRoutes = {
  /** The latest flushes and deliveries, newest first: the proof that hooks are alive. */
  compactions: route({
    method: 'GET',
    path: '/compactions',
    access: 'read',
    metering: 'free',
    users: 'own',
    summary: 'Show flushes, deliveries and compactions without a recovery',
    request: z.strictObject({
      user_id: field.userId.optional(),
      limit: field.limit.default(20),
      kind: z.enum(MOMENT_KINDS).optional(),
      session_id: field.sessionId.optional(),
    }),
    response: z.object({
      moments: z.array(moment),
      /** Compactions of the last 30 days that no recovery followed. */
      missing_recoveries: z.int(),
    }),
  }),
  /** What happened on the agent's machine while the service was away; the service notes all else by itself. */
  reportMoments: route({
    method: 'POST',
    path: '/compactions',
    access: 'agent',
    metering: 'free',
    users: 'own',
    summary: 'Report flushes and deliveries made without the service',
    request: z.strictObject({
      user_id: field.userId.optional(),
      moments: z
        .array(
          z.strictObject({
            /** Made by the reporter; the same id again adds nothing. */
            id: z.uuid(),
            at: field.timestamp,
            kind: z.enum(MOMENT_KINDS),
            outcome: z.enum(MOMENT_OUTCOMES),
            framework: framework.optional(),
            session_id: field.sessionId.optional(),
            characters: z.int().min(0).max(10_000_000).optional(),
            detail: field.text(200).optional(),
          }),
        )
        .min(1)
        .max(MOST_REPORTED),
    }),
    response: z.object({ recorded: z.int(), redacted: field.redacted }),
  }),
};
