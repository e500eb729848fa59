import type { CallOptions, Metering, OutputOf, ParsedOf, Route } from '../contract/route.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Clock, Ids, Logger } from '../runtime/runtime.ts';
import type { Call } from './call.ts';
import type { HookRegistry } from './hook-registry.ts';

/** What an operator decides about every tenant. Each feature adds its own settings by declaration merging. */
export interface EngineSettings {
  /** Whether secrets in well-known formats are taken out of what comes in; the service's own keys always are. Default true. */
  readonly redactSecrets: boolean;
  /** Milliseconds that a call waits for a plugin that it can do without, such as one that orders results; default 2,000. */
  readonly pluginPatienceMs: number;
  /** Milliseconds that a write waits for a plugin that sees the memory before it is stored; default 30,000. */
  readonly pluginStorePatienceMs: number;
}

/** What operations work with. Each feature adds its own services by declaration merging; there is no other state. */
export interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly hooks: HookRegistry;
  readonly settings: EngineSettings;
  /** The types of events that the features emit, in their order. */
  readonly eventTypes: ReadonlySet<string>;
}

/** What an act concerned, as its entry in the audit log names it: ids and names of the contract, never content. */
export type Touched = Readonly<Record<string, string | null | readonly string[]>>;

export interface WriteOptions {
  /** Operations this write counts as, or that are told when its work is done; default 1. */
  readonly units?: number | (() => number);
  /** How it counts where that is not as its route says, which does several things. */
  readonly metering?: Metering;
  /** Whether it changes who may do what in the space, as what a manager does may: such writes go one after the other. */
  readonly changesMembers?: boolean;
  /**
   * What tells the request from others beside its input, such as a digest of a body that came as a stream: with another one its
   * `Idempotency-Key` is refused. Default: its input says all.
   */
  readonly identifiedBy?: string | undefined;
}

/**
 * One call of one operation by one actor in one tenant: the services, who calls, and four verbs. It inherits the services, so
 * another one is made of it by `withFields`: a spread would leave them out.
 */
export interface Context extends Services, Call {
  readonly route: Route;
  readonly options: CallOptions;
  /** Runs `work` on a consistent snapshot of the tenant. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Commits `work`, its events and its use of the plan together, or none of it. What it answers must be JSON: with an
   * `Idempotency-Key` it is stored, and a repeated call gets it back without running `work` again.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Adds an event to the outbox; it is written with the current transaction or not at all.
   *
   * @param type One that a feature names in its `events`.
   */
  emit(tx: Tx, type: string, data: Record<string, unknown>): Promise<void>;
  /**
   * Writes a security-relevant act of the caller into the audit log, with the current transaction or not at all.
   *
   * @param act One that a feature names in its `acts`.
   */
  audit(tx: Tx, act: string, touched?: Touched): Promise<void>;
}

/**
 * A context with other fields, such as another tenant, and all else as it was. It inherits that: to copy dozens of services takes
 * longer than to read a memory.
 */
export function withFields(context: Context, fields: Partial<Context>): Context {
  return Object.assign(Object.create(context) as Context, fields);
}

/** The same call reading in the agent's own tenant. What it counts and emits stays with the call. */
export function ofAgent(context: Context): Context {
  const { tenantId, agentId } = context;
  return tenantId === agentId ? context : withFields(context, { tenantId: agentId, space: undefined });
}

/** A context for each tenant that a call reads: those of its user or of all users, the agent's own, and those of spaces. */
export function contextsOf(context: Context): readonly Context[] {
  const { tenantId, agentId, space, readsSpaces = [], readsOnlySpaces = false, readsUsers = [] } = context;
  const own = tenantId === agentId || space ? [context] : [context, ofAgent(context)];
  if (readsSpaces.length === 0 && readsUsers.length === 0) return own;
  const shared = readsSpaces.map((one) => withFields(context, { tenantId: one.id, space: one }));
  const ofUsers = readsUsers.map((user) => withFields(context, { tenantId: user.tenantId, user }));
  return readsOnlySpaces ? shared : [...own, ...ofUsers, ...shared];
}

/** The fields by which an answer says whose something is; none where it is the agent's own. */
export function originOf({ tenantId, user, space }: Pick<Call, 'tenantId' | 'user' | 'space'>): {
  readonly user_id?: string;
  readonly space_id?: string;
} {
  if (space) return { space_id: space.id };
  return user?.tenantId === tenantId ? { user_id: user.id } : {};
}

/** The agent that a write to a space is recorded under; null elsewhere, where only one agent writes. */
export function writerOf({ agentId, space }: Pick<Call, 'agentId' | 'space'>): string | null {
  return space ? agentId : null;
}

export type Operation<R extends Route> = (context: Context, input: ParsedOf<R>) => Promise<OutputOf<R>>;
