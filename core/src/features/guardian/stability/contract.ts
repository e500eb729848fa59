import { z } from 'zod';
import * as field from '../../../kernel/contract/fields.ts';
import { route } from '../../../kernel/contract/route.ts';

declare module '../../../kernel/context/context.ts' {
  interface EngineSettings {
    /** Similarity of a protected memory to its baseline under which a drift check opens, 0..1; default 0.75. */
    readonly driftCheckSimilarity: number;
    /** Compactions after which a drift check opens; default 25. */
    readonly driftCheckCompactions: number;
  }
}

/** A question to the agent: is this still you? */
const driftCheck = z.object({
  id: z.uuid(),
  /**
   * `similarity`: a change that would carry the core away from its baseline has cooled and waits for the human;
   * `compactions`: so many since the last check.
   */
  cause: z.enum(['similarity', 'compactions']),
  /** Similarity to the baseline that the memory would be left with: 1 - the drift of the change. */
  similarity: z.number().nullable(),
  opened_at: field.instant,
  dismissed_at: field.instant.nullable(),
  dismissed_by: field.provenance.nullable(),
  reason: z.string().nullable(),
});
export type DriftCheck = z.output<typeof driftCheck>;

/** How steady an agent is. */
const stability = z.object({
  /** Protected memories, the one that has moved farthest first; 200 at most. */
  memories: z.array(
    z.object({
      memory_id: z.uuid(),
      category: field.category.nullable(),
      /** 1 - the drift from what it said at first, or when the human last approved a change, 0..1. */
      similarity: z.number().nullable(),
      /** When it began to say what it is compared with. */
      baseline_at: field.instant,
    }),
  ),
  /** Over the last 30 days. `applied` and `rejected` count decisions, whenever the change was asked for. */
  changes: z.object({
    asked: z.int(),
    applied: z.int(),
    rejected: z.int(),
    withdrawn: z.int(),
    /** Protected memories that were added. */
    added: z.int(),
  }),
  /** Over the last 30 days. */
  compactions: z.int(),
  /** Over the last 30 days. */
  recoveries: z.int(),
  /** Mean share of the core memories that injections of the last 30 days showed, 0..1; null without any. */
  boot_coverage: z.number().nullable(),
  /** The open drift check. */
  drift_check: driftCheck.nullable(),
  /** Dismissed ones, newest first; 20 at most. */
  past_drift_checks: z.array(driftCheck),
});
export type Stability = z.output<typeof stability>;

/** One day of an agent, in UTC. */
const stabilityDay = z.object({
  date: z.iso.date(),
  /** Sessions that began with a boot. */
  boots: z.int(),
  compactions: z.int(),
  recoveries: z.int(),
  /** Mean share of the core memories that the day's injections showed, 0..1; null without any. */
  boot_coverage: z.number().nullable(),
  /**
   * Mean similarity of the protected memories at the end of the day to what they are measured against now, 0..1; null without any,
   * and for a human from whom the agent withholds memories.
   */
  similarity: z.number().nullable(),
  /** Changes to protected memories asked for on this day. */
  asked: z.int(),
  /** Decided on this day, whenever they were asked for. */
  applied: z.int(),
  rejected: z.int(),
});

export const stabilityRoutes = {
  /** How far the agent has moved from who it was, and how well it comes through compactions. */
  stability: route({
    method: 'GET',
    path: '/stability',
    access: 'read',
    metering: 'free',
    summary: 'Show the stability metrics',
    request: z.strictObject({}),
    response: z.object({ stability }),
  }),
  /** The same day by day, oldest first; a day without anything is there too. */
  stabilityHistory: route({
    method: 'GET',
    path: '/stability/history',
    access: 'read',
    metering: 'free',
    summary: 'Show the stability metrics day by day',
    request: z.strictObject({ days: z.int().min(1).max(90).default(30) }),
    response: z.object({ days: z.array(stabilityDay) }),
  }),
  /** The agent has looked, and says what it found. */
  dismissDriftCheck: route({
    method: 'POST',
    path: '/drift-check/dismiss',
    access: 'agent',
    metering: 'counted',
    summary: 'Dismiss the open drift check',
    request: z.strictObject({
      reason: field.nonBlankText(1_000),
    }),
    response: z.object({ drift_check: driftCheck, redacted: field.redacted }),
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  }),
};
