import type { Source } from '../contract/fields.ts';

/** Who makes a call, and with which credential. */
export interface Actor {
  readonly source: Source;
  /** Id of the API key or user; null for an in-process caller. */
  readonly credentialId: string | null;
  /** True for a credential that may only read: its boots are previews. */
  readonly readOnly?: boolean;
  /** True for work the service does because a human asked for it, such as an import: it reaches what that human may see. */
  readonly forHuman?: boolean;
  /**
   * True for an API key that was active a moment ago. The call verifies it again where it counts its use, in the same
   * transaction; if the key was revoked meanwhile, nothing of the call happened.
   */
  readonly unverified?: boolean;
}

/** Who calls, and when. */
export interface Call {
  readonly tenantId: string;
  readonly actor: Actor;
  readonly now: Date;
}
