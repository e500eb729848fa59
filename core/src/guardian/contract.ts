import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';

/** The fields of a memory the Guardian compares, as they are or as they would become. */
export const guardedFields = z.object({
  type: field.memoryType,
  /** Empty once the memory is erased for good. */
  content: z.string(),
  category: field.category.nullable(),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.number(),
  occurred_at: field.instant,
});

/**
 * One line of the Guardian's audit trail: a change to a protected core memory that waits to be decided, how a former
 * one ended, or a protected memory that was added. Design 5, Guardian.
 */
export const guardianEntry = z.object({
  id: z.uuid(),
  memory_id: z.uuid(),
  /** Null where a new memory was added. */
  current: guardedFields.nullable(),
  /** Null where the memory is to be archived. */
  proposed: guardedFields.nullable(),
  /** 1 - similarity of the old and the new content, 0..1; 1 for a removal and for a move to another type or category. */
  drift: z.number(),
  /** The same against the content the human last saw applied; measured when cooling ends. */
  baseline_drift: z.number().nullable(),
  /**
   * `cooling`: pending until `cooling_until`; `waiting`: cooled, and not to be applied without the human; `applied`:
   * cooled and applied; `approved`, `rejected`: by the human; `withdrawn`: by the agent; `added`: a new protected
   * memory, which needs no decision.
   */
  status: z.enum(['cooling', 'waiting', 'applied', 'approved', 'rejected', 'withdrawn', 'added']),
  requested_at: field.instant,
  requested_by: field.provenance,
  cooling_until: field.instant,
  decided_at: field.instant.nullable(),
  /** Null while undecided, and where time decided. */
  decided_by: field.provenance.nullable(),
  reason: z.string().nullable(),
});
export type GuardianEntry = z.output<typeof guardianEntry>;

/** Categories that are always protected. Spec: What the service does, 6. */
export const ALWAYS_PROTECTED = ['soul', 'identity'] as const;

/** What the human decides about the Guardian. Design 5, Guardian. */
const guardianSettings = z.object({
  /** Categories whose core memories are protected; `soul` and `identity` always, named or not. */
  categories: z.array(field.category),
  /** Hours a change waits, 1..720. */
  cooling_hours: z.number().min(1).max(720),
  /** The largest drift applied without the human, 0..1. */
  drift_limit: z.number().min(0).max(1),
});
export type GuardianSettings = z.output<typeof guardianSettings>;

const byId = z.strictObject({ id: field.id });
const decision = byId.extend({ reason: field.text(1_000).optional() });
const decided = z.object({ entry: guardianEntry });

export const guardianRoutes = {
  /** The audit trail of protected core memories, newest first. */
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
  /** What is protected, and how long and how far a change may go without the human. */
  guardianSettings: route({
    method: 'GET',
    path: '/guardian/settings',
    access: 'read',
    metering: 'free',
    summary: 'Show the Guardian settings',
    spec: 'Design 5, Guardian',
    request: z.strictObject({}),
    response: z.object({ settings: guardianSettings }),
  }),
  /** Changes the named settings and keeps the others; changes already pending keep the rules they were asked under. */
  setGuardianSettings: route({
    method: 'POST',
    path: '/guardian/settings',
    access: 'human',
    metering: 'counted',
    summary: 'Change the Guardian settings',
    spec: 'Design 5, Guardian',
    request: guardianSettings.partial().strict(),
    response: z.object({ settings: guardianSettings }),
    errors: ['FORBIDDEN'],
  }),
  /** One entry. */
  guardianEntry: route({
    method: 'GET',
    path: '/guardian/{id}',
    access: 'read',
    metering: 'free',
    summary: 'Read one Guardian entry',
    spec: 'Design 5, Guardian',
    request: byId,
    response: decided,
  }),
  /** The human lets a change happen, now. */
  approveChange: route({
    method: 'POST',
    path: '/guardian/{id}/approve',
    access: 'human',
    metering: 'counted',
    summary: 'Approve a change to a protected memory',
    spec: 'Design 5, Guardian',
    request: decision,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  /** The human refuses a change. */
  rejectChange: route({
    method: 'POST',
    path: '/guardian/{id}/reject',
    access: 'human',
    metering: 'counted',
    summary: 'Reject a change to a protected memory',
    spec: 'Design 5, Guardian',
    request: decision,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  /** The agent takes back a change it asked for. */
  withdrawChange: route({
    method: 'POST',
    path: '/guardian/{id}/withdraw',
    access: 'agent',
    metering: 'counted',
    summary: 'Withdraw a change to a protected memory',
    spec: 'Design 5, Guardian',
    request: decision,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
};
