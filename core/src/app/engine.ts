import { type Accounts, createAccounts } from '../features/accounts/accounts.ts';
import { createWallets, type Wallets } from '../features/accounts/wallets.ts';
import { nextJob } from '../features/jobs/claim.ts';
import { createJobTask } from '../features/jobs/job-task.ts';
import { createReembedding, type Reembedding } from '../features/reembedding/reembedding.ts';
import { createScrubbing, type Scrubbing } from '../features/scrub/scrub.ts';
import { requireSessionKey } from '../features/tenant/session-key-operation.ts';
import { createEventLog, type EventLog } from '../features/webhooks/log.ts';
import { createContext, finish } from '../kernel/commit/call-context.ts';
import { forgetIdempotencyKeys } from '../kernel/commit/idempotency.ts';
import { AGENT } from '../kernel/commit/system-context.ts';
import type { Actor } from '../kernel/context/call.ts';
import type { Context, Operation, Services } from '../kernel/context/context.ts';
import type { Plugin } from '../kernel/context/hooks.ts';
import { requireAccess } from '../kernel/context/require-access.ts';
import { invalid } from '../kernel/contract/errors.ts';
import { mergeAll } from '../kernel/contract/merge.ts';
import { parseInput } from '../kernel/contract/parse.ts';
import { createMethods } from '../kernel/contract/route.ts';
import type { Database } from '../kernel/database/database.ts';
import { createScheduler, type Scheduler } from '../kernel/queue/scheduler.ts';
import { untilDone } from '../kernel/queue/task.ts';
import { type ApiKeys, createApiKeys } from '../kernel/tenancy/api-keys.ts';
import { createTenants, type Tenants } from '../kernel/tenancy/tenants.ts';
import { redact } from '../secrets/redact.ts';
import type { AgentMemory, CallOptions, OperationName, Route, Routes } from './contract.ts';
import { routes } from './contract.ts';
import { createServices, type EngineOptions } from './create-services.ts';
import { featureParts, features } from './features.ts';
import { tables } from './tables.ts';
import { createStreams, type Streams } from './transfer-streams.ts';

/** The core of the service: agents' memory, tenants and keys over one database. */
export interface Engine {
  /** The memory of one tenant's agent; `actor` is who its writes are recorded under (default: the agent itself). */
  agent(tenantId: string, actor?: Actor): AgentMemory;
  /** One operation by its name, as the method of an agent's memory does it. */
  call(
    name: OperationName,
    caller: { readonly tenantId: string; readonly actor: Actor },
    input?: unknown,
    options?: CallOptions,
  ): Promise<object>;
  /** What is too long for one answer: imports and exports of one tenant, as streams. */
  streams(tenantId: string, actor?: Actor, options?: CallOptions): Streams;
  /** Adds a plugin; plugins run in the order they were added. */
  use(plugin: Plugin): Engine;
  readonly tenants: Tenants;
  readonly apiKeys: ApiKeys;
  readonly accounts: Accounts;
  readonly wallets: Wallets;
  readonly database: Database;
  /** What happened, in order; for live streams. */
  readonly events: EventLog;
  /** Background work; it rests until `startBackground`, or until it is run. */
  readonly background: Scheduler;
  /** Takes secrets out of what is stored. */
  readonly scrubbing: Scrubbing;
  /** The change to another embedder. */
  readonly reembedding: Reembedding;
  /** Does the background work from now on until `close`; `tickMs` is the time between two looks, default 1,000. */
  startBackground(tickMs?: number): void;
  /** Ends the background work, then closes the database; calls in progress end first. */
  close(): Promise<void>;
}

const MAX_IDEMPOTENCY_KEY = 255;
const SECOND = 1_000;
const HOUR = 3_600_000;

type AnyOperation = (context: Context, input: unknown) => Promise<object>;

/** The implementation of every route of the contract; the type forgets none. */
const operations: { readonly [Name in OperationName]: Operation<Routes[Name]> } = mergeAll(
  features.map((feature) => feature.operations),
);

/** Puts the engine together. */
export function createEngine(options: EngineOptions): Engine {
  const services = createServices(options);
  const { database, hooks, indexCache, recallLog } = services;
  const handlers = options.jobHandlers ?? featureParts.flatMap(({ jobs = [] }) => jobs);
  const background = createScheduler(services, [
    ...featureParts.flatMap((feature) => feature.tasks?.() ?? []),
    {
      name: 'jobs.work',
      everyMs: SECOND,
      overlapping: true,
      run: createJobTask(handlers),
      nextDue: nextJob,
    },
    { name: 'idempotency.forget-old', everyMs: HOUR, run: untilDone(forgetIdempotencyKeys) },
  ]);

  const engine: Engine = {
    agent: (tenantId, actor = AGENT) =>
      createMethods(routes, (name, input, callOptions) =>
        engine.call(name, { tenantId, actor }, input, callOptions),
      ),
    call: (name, caller, input = {}, callOptions = {}) =>
      callOperation(services, { name, ...caller, options: callOptions }, input),
    streams: (tenantId, actor = AGENT, callOptions = {}) => {
      checkOptions(callOptions);
      return createStreams((name, parsed) => {
        requireAccess(routes[name], actor);
        return contextOf(services, { name, tenantId, actor, options: callOptions }, parsed);
      });
    },
    use: (plugin) => {
      hooks.add(plugin);
      return engine;
    },
    tenants: createTenants(services),
    apiKeys: createApiKeys(services),
    accounts: createAccounts(services),
    wallets: createWallets(services),
    database,
    events: createEventLog(services),
    background,
    reembedding: createReembedding(services),
    scrubbing: createScrubbing(services, tables),
    startBackground: (tickMs) => background.start(tickMs),
    close: async () => {
      await background.stop();
      await recallLog.flush();
      await indexCache.close();
      await database.close();
    },
  };
  return engine;
}

/** Who calls what. */
interface Call {
  readonly name: OperationName;
  readonly tenantId: string;
  readonly actor: Actor;
  readonly options: CallOptions;
}

/** One call from its input to its answer: access, input, secrets, key, then the operation. */
async function callOperation(services: Services, call: Call, input: unknown): Promise<object> {
  const { name, actor, options } = call;
  requireAccess(routes[name], actor);
  const checked = parseInput(routes[name].request, input);
  checkOptions(options);
  // Before hooks, the embedder, the hash of the request or the database see it.
  const { verbatim = [] }: Route = routes[name];
  const { value: parsed, redactions } = await redact(checked, {
    formats: services.settings.redactSecrets,
    verbatim,
  });
  const context = contextOf(services, call, parsed);
  if (context.route.access === 'session') await requireSessionKey(context);
  // The table pairs every operation with its own input, which an indexed access cannot express.
  const operation = operations[name] as AnyOperation;
  const [done] = await Promise.allSettled([operation(context, parsed)]);
  const isVerified = await finish(context);
  if (done.status === 'rejected') throw done.reason;
  if (!isVerified) throw new TypeError(`${name} counts nothing, and so verifies no API key`);
  const writes = context.route.method !== 'GET' && context.route.access !== 'read';
  return writes && redactions.length > 0 ? { ...done.value, redacted: redactions } : done.value;
}

function contextOf(services: Services, { name, tenantId, actor, options }: Call, parsed: unknown): Context {
  const call = { ...services, tenantId, actor, options, route: routes[name], now: services.clock() };
  return createContext(call, [name, parsed]);
}

function checkOptions({ idempotencyKey, ifMatch, signal }: CallOptions): void {
  signal?.throwIfAborted();
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) {
    throw invalid(
      'Idempotency-Key',
      `must be 1 to ${MAX_IDEMPOTENCY_KEY} printable ASCII characters without spaces`,
    );
  }
  if (ifMatch !== undefined && (!Number.isInteger(ifMatch) || ifMatch < 1)) {
    throw invalid('If-Match', 'must be the version number of the memory, such as "3"');
  }
}
