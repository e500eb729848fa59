import type { SQLWrapper } from 'drizzle-orm';
import type { Source } from '../contract/fields.ts';
import type { CallOptions, OperationName, Output, Parsed, Route } from '../contract/index.ts';
import type { Database, Rows, Tx } from '../database/database.ts';
import type { Embedder } from '../embedding/embedder.ts';
import type { Spaces } from '../embedding/spaces.ts';
import type { Webhooks } from '../events/webhooks.ts';
import type { Residents } from '../recall/resident/residents.ts';
import type { RecallSignal } from '../recall/signals.ts';
import type { Sizes } from '../recall/sizes.ts';
import type { LanguageModel } from '../reflection/language-model.ts';
import type { Additions, NewRow } from './additions.ts';
import type { Call, PluginHost } from './plugins.ts';
import type { Clock, Ids, ImportSources, Logger } from './ports.ts';
import type { Growth } from './settle.ts';
import type { Uses } from './uses.ts';

/** Who makes a call, and with which credential. */
export interface Actor {
  readonly source: Source;
  /** Id of the API key or user; null for an in-process caller. */
  readonly credentialId: string | null;
  /** True for a credential that may only read: its boots are previews. */
  readonly readOnly?: boolean;
  /**
   * True for an API key that was in force a moment ago: whether it still is, the call has to prove where it counts its use,
   * in the same transaction (see `ApiKeys.recognise`). What that refuses did not happen.
   */
  readonly unproven?: boolean;
}

/** Everything the engine needs from outside; there is no other state. */
export interface Dependencies {
  readonly database: Database;
  /** What new vectors come from; asked through `spaces`, which checks its answers. */
  readonly embedder: Embedder;
  readonly spaces: Spaces;
  readonly sizes: Sizes;
  readonly residents: Residents;
  readonly uses: Uses;
  readonly additions: Additions;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly plugins: PluginHost;
  readonly settings: EngineSettings;
  /** Writes digests and finds contradictions; without one, rules do. */
  readonly llm?: LanguageModel;
  /** Absent where the service was started without a secret to keep webhook secrets with. */
  readonly webhooks?: Webhooks;
  /** Absent where nothing is fetched over the network: a library, a test. */
  readonly importSources?: ImportSources;
}

/** What an operator may decide about every tenant. */
export interface EngineSettings {
  /** How long a change to a protected memory waits, in milliseconds; default 24 h. */
  readonly guardianCoolingMs: number;
  /** Similarity of a protected memory to its baseline under which a drift check opens, 0..1; default 0.75. */
  readonly driftCheckSimilarity: number;
  /** Compactions after which a drift check opens; default 25. */
  readonly driftCheckCompactions: number;
  /** How long a recall waits for the embedder, in milliseconds, before it goes by words alone; default 2,000. */
  readonly recallPatienceMs: number;
  /** How long a write waits for the embedder, in milliseconds, before its vectors are queued; default 5,000. */
  readonly writePatienceMs: number;
  /** Memories of a tenant up to which recall looks at all of them; its vectors get an index above. Default 10,000. */
  readonly recallExactUpTo: number;
  /** Bytes that the memories of busy tenants may take in this process, so that recall searches them here; 0 for none. Default 64 MiB. */
  readonly recallHeldBytes: number;
  /** What recall does not look at, to measure what it gives; default nothing. */
  readonly recallWithout: readonly RecallSignal[];
}

export interface WriteOptions {
  /** Operations this write counts as; default 1. */
  readonly units?: number;
}

/**
 * A reading statement; or how to make it when it is sent, where what it answers serves every call of the tenant: then
 * calls at once share it.
 */
export type Lookup = SQLWrapper | (() => SQLWrapper);

/** One call of one operation by one actor in one tenant. */
export interface Context extends Dependencies, Call {
  readonly route: Route;
  readonly options: CallOptions;
  /** A consistent snapshot. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Commits `work`, its events and its use of the plan together, or none of it. What it answers must be JSON: with an
   * `Idempotency-Key` it is stored, and a repeated call gets it back without running `work` again.
   */
  write<T>(work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Commits one new memory and its event, in one round trip and together with those of other calls at once.
   *
   * @param answer What a replay with the same `Idempotency-Key` is to answer.
   * @returns whether it did; if not, nothing was done, and `write` tells why or does it.
   */
  append(
    added: NewRow,
    answer: unknown,
    event: { type: string; data: Record<string, unknown> },
  ): Promise<boolean>;
  /** Runs one reading statement, in one round trip. */
  look(lookup: Lookup): Promise<Rows>;
  /**
   * Runs one searching statement, counts the use behind it and writes its event. It answers as soon as something is found:
   * `conclude` waits for the count, which may still be refused. A search that fails may have been counted.
   */
  ask(lookup: Lookup, event: { type: string; data: Record<string, unknown> }): Promise<Rows>;
  /** Waits until all uses are counted, before which nothing may be answered; throws what they were refused with. */
  conclude(): Promise<void>;
  /** Whether the credential of the call was in force when its use was counted, or before the call began. */
  isProven(): boolean;
  /** Counts operations done by the current transaction beside those of the route; refused over the limit. */
  charge(units: number): void;
  /** Keeps the sizes of recall's index in step with what the current transaction changes in it. */
  grow(by: Growth): void;
  /** Adds an event to the outbox; it is written with the current transaction or not at all. */
  emit(tx: Tx, type: string, data: Record<string, unknown>): Promise<void>;
}

/** The implementation of one route. */
export type Operation<Name extends OperationName> = (
  context: Context,
  input: Parsed<Name>,
) => Promise<Output<Name>>;
