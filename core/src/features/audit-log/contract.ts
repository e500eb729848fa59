import { z } from 'zod';
import { AUDIT_CHAINS, type AuditChain } from '../../kernel/contract/audit-chains.ts';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

const EXPORT_FORMATS = ['json', 'ndjson'] as const;
export type AuditExportFormat = (typeof EXPORT_FORMATS)[number];

/** Why an entry is the first that is not as it was written. */
const BREAKS = ['changed', 'missing', 'truncated', 'headless', 'rewritten'] as const;

const sequence = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hexadecimal digits');

/** The place of an entry in its chain, by which everything before it can be checked later. Sequence 0: before the first. */
export const checkpoint = z.object({ sequence, hash });
/** The place of an entry in its chain, to be kept elsewhere, so that what came before it can be checked later. */
export type Checkpoint = z.output<typeof checkpoint>;

/** A security-relevant act. */
export const auditEntry = z.object({
  tenant_id: z.uuid(),
  chain: z.enum(AUDIT_CHAINS),
  /** 1 for the first entry of the chain, without gaps. */
  sequence,
  /** When the call came. Concurrent acts stand in the order of their commits. */
  at: field.instant,
  /** What was done, such as `api_key.created`. */
  act: z.string(),
  /** By whom: `agent`, `human` and the other kinds of sources, `operator`, `service`, or `visitor`, who was not signed in. */
  by: z.object({ kind: z.string(), credential_id: z.string().nullable() }),
  /** Ids and names of fields; never content. */
  touched: z.record(z.string(), z.union([z.string(), z.array(z.string()), z.null()])),
  /** Hash of the entry before; zeros for the first. */
  previous: hash,
  /** SHA-256 over the entry without its hash, as RFC 8785 writes it. */
  hash,
});
/** An act in the audit log of a tenant, chained to the one before it by its hash. */
export type AuditEntry = z.output<typeof auditEntry>;

/** One chain of one tenant. */
export interface ChainOf {
  readonly tenantId: string;
  readonly chain: AuditChain;
}

const chain = z.enum(AUDIT_CHAINS).default('account');

/** What a check of a chain found. */
export const auditVerdict = z.object({
  intact: z.boolean(),
  /** Entries that are as they were written. */
  entries: sequence,
  /** The last of them: kept elsewhere, it shows later whether all up to it still stands. */
  checkpoint,
  /** The first entry that is not as it was written. */
  broken: z.object({ sequence, reason: z.enum(BREAKS), message: z.string() }).nullable(),
});
/** What a check of an audit log found: up to which entry it is whole, and the first that is not. */
export type AuditVerdict = z.output<typeof auditVerdict>;

export const auditLogRoutes = {
  /** What was done that matters for security, newest first. */
  auditLog: route({
    method: 'GET',
    path: '/audit-log',
    access: 'write',
    metering: 'free',
    summary: 'List security-relevant acts',
    request: z
      .strictObject({
        /** `agent` holds acts on single memories; it is for the agent only. */
        chain,
        /** An act, or a group such as `guardian.*`. */
        act: field.text(64).optional(),
        since: field.since.optional(),
        until: field.until.optional(),
        limit: field.limit.default(50),
        cursor: field.cursor.optional(),
      })
      .refine(field.isPeriod, field.NO_PERIOD),
    response: z.object({ entries: z.array(auditEntry), next_cursor: z.string().nullable() }),
    errors: ['FORBIDDEN'],
  }),
  /** Reads a whole chain and compares every entry with its hash. */
  verifyAuditLog: route({
    method: 'GET',
    path: '/audit-log/verify',
    access: 'write',
    metering: 'free',
    summary: 'Check whether the audit log is as it was written',
    request: z
      .strictObject({
        chain,
        /** Sequence of a checkpoint that was kept elsewhere. */
        from_sequence: sequence.optional(),
        /** Its hash. */
        from_hash: hash.optional(),
      })
      .refine(({ from_sequence: place, from_hash: kept }) => (place === undefined) === (kept === undefined), {
        path: ['from_hash'],
        message: 'goes together with from_sequence',
      }),
    response: auditVerdict,
    errors: ['FORBIDDEN'],
  }),
  /** A whole chain, oldest first. */
  exportAuditLog: route({
    method: 'GET',
    path: '/audit-log/export',
    access: 'write',
    metering: 'free',
    streams: { ndjson: 'application/x-ndjson' },
    summary: 'Export the audit log as JSON, or one entry a line',
    request: z.strictObject({
      chain,
      /** `ndjson` is a stream of lines, over REST only. */
      format: z.enum(EXPORT_FORMATS).default('json'),
    }),
    response: z.object({ entries: z.array(auditEntry) }),
    errors: ['FORBIDDEN', 'PAYLOAD_TOO_LARGE'],
  }),
};
