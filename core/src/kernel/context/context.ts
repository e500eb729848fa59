import type { CallOptions, OutputOf, ParsedOf, Route } from '../contract/route.ts';
import type { Database, Tx } from '../database/database.ts';
import type { Clock, Ids, Logger } from '../runtime/runtime.ts';
import type { Call } from './call.ts';
import type { HookRegistry } from './hooks.ts';

/** What an operator decides about every tenant. Each feature adds its own settings by declaration merging. */
export interface EngineSettings {
  /** Whether secrets in well-known formats are taken out of what comes in; the service's own keys always are. Default true. */
  readonly redactSecrets: boolean;
}

/** What operations work with. Each feature adds its own services by declaration merging; there is no other state. */
export interface Services {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly hooks: HookRegistry;
  readonly settings: EngineSettings;
}

export interface WriteOptions {
  /** Operations this write counts as; default 1. */
  readonly units?: number;
}

/** One call of one operation by one actor in one tenant: the services, who calls, and three verbs. */
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
  /** Adds an event to the outbox; it is written with the current transaction or not at all. */
  emit(tx: Tx, type: string, data: Record<string, unknown>): Promise<void>;
}

/** The implementation of one route. */
export type Operation<R extends Route> = (context: Context, input: ParsedOf<R>) => Promise<OutputOf<R>>;
