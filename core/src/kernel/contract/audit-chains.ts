/**
 * The hash chains of a tenant's audit log. `account`: what its human may read, too. `agent`: acts on single memories, which
 * the agent may withhold; that there was one would tell of them, so they have a chain of their own.
 */
export const AUDIT_CHAINS = ['account', 'agent'] as const;
/** A hash chain of a tenant's audit log. */
export type AuditChain = (typeof AUDIT_CHAINS)[number];
