import type { Actor } from '../context/call.ts';
import type { Touched } from '../context/context.ts';
import type { AuditChain } from '../contract/audit-chains.ts';

declare module '../context/context.ts' {
  interface Services {
    /** The acts that features write into the audit log, each with its chain. */
    readonly auditActs: ReadonlyMap<string, AuditChain>;
  }
}

/**
 * Who did an act. `kind`: who writes memories (`agent`, `human`, …), or `operator` (who runs the service), `service` (by
 * itself), `visitor` (who has not signed in).
 */
export interface AuditedBy {
  readonly kind: string;
  /** Id of the API key, connected app or user; null where there is none. */
  readonly credentialId: string | null;
}

export const OPERATOR: AuditedBy = { kind: 'operator', credentialId: null };
export const SERVICE: AuditedBy = { kind: 'service', credentialId: null };

/** An act as it is written into the log. */
export interface AuditedAct {
  /** One that a feature names in its `acts`. */
  readonly act: string;
  readonly by: AuditedBy;
  readonly touched?: Touched;
}

/** How the log names who makes a call. */
export function auditedBy({ source, credentialId, isService }: Actor): AuditedBy {
  return isService ? SERVICE : { kind: source, credentialId };
}
