import type { Source, SpaceRight } from '../contract/fields.ts';

/** Who makes a call, and with which credential. */
export interface Actor {
  readonly source: Source;
  /** Id of the API key or user; null for an in-process caller. */
  readonly credentialId: string | null;
  /** True for a credential that may only read: its boots are previews. */
  readonly readOnly?: boolean;
  /** True for work the service does because a human asked for it, such as an import: it reaches what that human may see. */
  readonly forHuman?: boolean;
  /** True for what the service does by itself, such as the end of a cooling period. */
  readonly isService?: boolean;
  /**
   * True for an API key that was active a moment ago. The call verifies it again where it counts its use, in the same
   * transaction; if the key was revoked meanwhile, nothing of the call happened.
   */
  readonly unverified?: boolean;
  /** The user that an API key is bound to: whatever it sends, it sees and writes nothing of other users. */
  readonly boundTo?: string | undefined;
}

/** A user of an agent: its id by the app that serves it, and the tenant that holds what concerns it. */
export interface CallUser {
  readonly id: string;
  readonly tenantId: string;
  /** True where nothing is stored for it yet: the first write makes it, together with its tenant. */
  readonly isNew?: boolean;
  /** Of a call that writes, the snapshot of the database when the call began: an erasure that it does not hold came later. */
  readonly snapshot?: string | undefined;
}

/** A space: what several agents of one account share. Its id is that of the tenant that holds what is in it. */
export interface CallSpace {
  readonly id: string;
  readonly name: string;
  /** What the caller may do there. */
  readonly right: SpaceRight;
  /** Of an agent's right, which transaction wrote it. A commit verifies that none has written it since. */
  readonly writtenIn?: string | undefined;
}

/** Who calls, for whom, and when. */
export interface Call {
  /** The tenant whose memories the call works on: the agent's own, or that of one of its users or of a space. */
  readonly tenantId: string;
  /** The agent whose plan, events, keys and settings apply. Differs from `tenantId` in the tenant of a user or a space. */
  readonly agentId: string;
  /** The user that the call concerns; undefined where it concerns the agent itself. */
  readonly user?: CallUser | undefined;
  /** The space whose tenant `tenantId` is. */
  readonly space?: CallSpace | undefined;
  /** The spaces that the call reads beside the tenants of the user and the agent. */
  readonly readsSpaces?: readonly CallSpace[] | undefined;
  /** True where it reads these spaces alone. */
  readonly readsOnlySpaces?: boolean | undefined;
  /** The users whose memories the call reads beside the agent's own, where it asks for all of them (`user_id: "*"`). */
  readonly readsUsers?: readonly CallUser[] | undefined;
  /** True for what the service does by itself or for a job: the space in whose tenant it works may be deleted meanwhile. */
  readonly isBackground?: boolean | undefined;
  readonly actor: Actor;
  readonly now: Date;
}
