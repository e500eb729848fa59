import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { changesOf } from '../../kernel/contract/settings.ts';
import type { Unattended } from '../records/contract.ts';
import { guardianEntry, UNATTENDED } from '../records/contract.ts';

declare module '../../kernel/context/context.ts' {
  interface EngineSettings {
    /** How long a change to a protected memory waits, in milliseconds; default 24 h. */
    readonly guardianCoolingMs: number;
    /** What is applied to a protected memory when cooling ends without the human; default `harmless`. */
    readonly guardianUnattended: Unattended;
  }
}

export const ALWAYS_PROTECTED = ['soul', 'identity'] as const;

/** What the human decides about the Guardian. */
const guardianSettings = z.object({
  /** Categories whose core memories are protected; `soul` and `identity` always, named or not. */
  categories: z.array(field.category),
  /** Hours a change waits, 1..720. */
  cooling_hours: z.number().min(1).max(720),
  /** Drift from which a change counts as large, 0..1; for display. Whether the human is needed never hangs on it. */
  drift_limit: z.number().min(0).max(1),
  /**
   * What is applied when cooling ends and nobody has decided: `harmless`, only what cannot change the meaning; or
   * `nothing`. Where the operator has chosen `nothing`, that holds.
   */
  unattended: z.enum(UNATTENDED),
});
export type GuardianSettings = z.output<typeof guardianSettings>;

const byId = z.strictObject({ id: field.id });
const decision = byId.extend({ reason: field.text(1_000).optional() });
const decided = z.object({ entry: guardianEntry, redacted: field.redacted });

export const guardianRoutes = {
  /** The audit trail of protected core memories, newest first. */
  guardianQueue: route({
    method: 'GET',
    path: '/guardian',
    access: 'read',
    metering: 'free',
    summary: 'List Guardian entries',
    request: z.strictObject({
      status: guardianEntry.shape.status.optional(),
      /** Only what was asked of this memory. */
      memory_id: field.id.optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ entries: z.array(guardianEntry), next_cursor: z.string().nullable() }),
  }),
  /** What is protected, how long a change waits, and what may happen without the human. */
  guardianSettings: route({
    method: 'GET',
    path: '/guardian/settings',
    access: 'read',
    metering: 'free',
    summary: 'Show the Guardian settings',
    request: z.strictObject({}),
    response: z.object({ settings: guardianSettings }),
  }),
  /** Changes the named settings and keeps the others; changes already pending keep the time they were given. */
  setGuardianSettings: route({
    method: 'POST',
    path: '/guardian/settings',
    access: 'human',
    humanDecides: true,
    metering: 'counted',
    summary: 'Change the Guardian settings',
    request: changesOf(guardianSettings),
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
    request: byId,
    response: decided,
  }),
  /** The human lets a change happen, now, or confirms a memory that was added. */
  approveChange: route({
    method: 'POST',
    path: '/guardian/{id}/approve',
    access: 'human',
    humanDecides: true,
    metering: 'counted',
    summary: 'Approve a change to a protected memory, or confirm an added one',
    request: decision,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
  /** The human refuses a change, or removes a memory that was added. */
  rejectChange: route({
    method: 'POST',
    path: '/guardian/{id}/reject',
    access: 'human',
    humanDecides: true,
    metering: 'counted',
    summary: 'Reject a change to a protected memory, or remove an added one',
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
    request: decision,
    response: decided,
    errors: ['FORBIDDEN', 'CONFLICT'],
  }),
};
