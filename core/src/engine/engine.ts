import { type Accounts, createAccounts } from '../accounts/accounts.ts';
import { createWallets, type Wallets } from '../accounts/wallets.ts';
import { createJobs } from '../background/jobs.ts';
import { type Background, createBackground } from '../background/runner.ts';
import { invalid } from '../contract/errors.ts';
import type { AgentMemory, CallOptions, OperationName } from '../contract/index.ts';
import { routes } from '../contract/index.ts';
import { parseInput } from '../contract/parse.ts';
import type { Database } from '../database/database.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { createReembedding, type Reembedding } from '../embedding/reembed/reembedding.ts';
import { createSpaces, type EmbedderFor } from '../embedding/spaces.ts';
import { createStaticEmbedder, STATIC_MODEL } from '../embedding/static/index.ts';
import { createEventLog, type EventLog } from '../events/log.ts';
import { type WebhookOptions, withDefaults } from '../events/webhooks.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { jobRunners } from '../jobs/runners.ts';
import { createResidents } from '../recall/resident/residents.ts';
import { createSizes } from '../recall/sizes.ts';
import type { LanguageModel } from '../reflection/language-model.ts';
import { upcomingPlugin } from '../schedule/boot-section.ts';
import { requireSessionKey } from '../session/session-key.ts';
import { driftCheckPlugin } from '../stability/boot-section.ts';
import { type ApiKeys, createApiKeys } from '../tenants/api-keys.ts';
import { createTenants, type Tenants } from '../tenants/tenants.ts';
import { concealAnswer, searchesWithheld } from '../visibility/conceal.ts';
import { loadVisibility } from '../visibility/settings.ts';
import { createAdditions } from './additions.ts';
import type { Actor, Context, Dependencies, EngineSettings, Operation } from './context.ts';
import { operations } from './operations.ts';
import { type Plugin, PluginHost } from './plugins.ts';
import {
  type Clock,
  type Ids,
  type ImportSources,
  type Logger,
  silentLogger,
  systemClock,
  uuidV7,
} from './ports.ts';
import { AGENT } from './service-context.ts';
import { createStreams, type Streams } from './streams.ts';
import { createUses } from './uses.ts';
import { createWriter } from './write.ts';

/** What an engine is made of. Only the database has no default. */
export interface EngineOptions {
  readonly database: Database;
  /** Default: the static embedder, which needs no network. */
  readonly embedder?: Embedder;
  /**
   * Makes the embedder of a model that was in use before, whose vectors still answer while memories are re-embedded;
   * default: the static one only. Without it, these answer by words alone meanwhile.
   */
  readonly embedderFor?: EmbedderFor;
  /** Helps reflection; without one it works by rules. */
  readonly llm?: LanguageModel;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logger?: Logger;
  readonly settings?: Partial<EngineSettings>;
  /** Needed to send events to endpoints; without it none can be registered. */
  readonly webhooks?: WebhookOptions;
  /** Fetches imports from Git and S3; without it they are refused. */
  readonly importSources?: ImportSources;
  /** Does the jobs that tenants ask for; default: those of the service. */
  readonly jobRunners?: readonly JobRunner[];
}

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
  readonly background: Background;
  /** The change to another embedder. */
  readonly reembedding: Reembedding;
  /** Does the background work from now on until `close`; `tickMs` is the time between two looks, default 1,000. */
  startBackground(tickMs?: number): void;
  /** Ends the background work, then closes the database; calls in progress end first. */
  close(): Promise<void>;
}

export const DEFAULT_SETTINGS: EngineSettings = {
  guardianCoolingMs: 24 * 3_600_000,
  driftCheckSimilarity: 0.75,
  driftCheckCompactions: 25,
  recallPatienceMs: 2_000,
  writePatienceMs: 5_000,
  recallExactUpTo: 10_000,
  recallHeldBytes: 64 * 1024 ** 2,
  recallWithout: [],
};
const MAX_IDEMPOTENCY_KEY = 255;

/** Puts the engine together. */
export function createEngine(options: EngineOptions): Engine {
  const logger = options.logger ?? silentLogger;
  const { database } = options;
  const clock = options.clock ?? systemClock;
  const embedder = options.embedder ?? createStaticEmbedder();
  const embedderFor = options.embedderFor ?? staticFor;
  const settings = { ...DEFAULT_SETTINGS, ...options.settings };
  const residents = createResidents({ database, logger }, settings.recallHeldBytes);
  const dependencies: Dependencies = {
    database,
    embedder,
    spaces: createSpaces({ database, embedder, embedderFor, clock, logger }),
    sizes: createSizes(settings.recallExactUpTo),
    residents,
    uses: createUses(database),
    additions: createAdditions(database, embedder),
    clock,
    ids: options.ids ?? uuidV7,
    logger,
    plugins: new PluginHost((plugin, hook, error) =>
      logger.error({ plugin, hook, err: error }, 'a plugin failed; the call was not affected'),
    ),
    settings,
    ...(options.llm ? { llm: options.llm } : {}),
    ...(options.webhooks ? { webhooks: withDefaults(options.webhooks) } : {}),
    ...(options.importSources ? { importSources: options.importSources } : {}),
  };

  const background = createBackground(dependencies, createJobs(options.jobRunners ?? jobRunners));
  dependencies.plugins.add(driftCheckPlugin);
  dependencies.plugins.add(upcomingPlugin);

  const engine: Engine = {
    agent: (tenantId, actor = AGENT) => {
      const method = (name: OperationName) => (input?: unknown, callOptions?: CallOptions) =>
        engine.call(name, { tenantId, actor }, input, callOptions);
      const names = Object.keys(routes) as OperationName[];
      return Object.fromEntries(names.map((name) => [name, method(name)])) as unknown as AgentMemory;
    },
    call: async (name, { tenantId, actor }, input = {}, callOptions = {}) => {
      const parsed = parseInput(routes[name].request, input);
      checkOptions(callOptions);
      const context = createContext(dependencies, { name, tenantId, actor, options: callOptions, parsed });
      if (context.route.access === 'session') await requireSessionKey(context);
      // The table pairs every operation with its own input, which an indexed access cannot express.
      const operation = operations[name] as Operation<OperationName>;
      const [done] = await Promise.allSettled([operation(context, parsed as never)]);
      await context.conclude();
      if (done.status === 'rejected') throw done.reason;
      if (!context.isProven()) throw new TypeError(`${name} counts nothing, and so proves no credential`);
      const answer = done.value;
      if (actor.source !== 'human') return answer;
      return concealAnswer(answer, await visibilityOf(context), {
        searched: searchesWithheld(name, parsed),
        written: context.route.method !== 'GET' && context.route.access !== 'read',
      });
    },
    streams: (tenantId, actor = AGENT, callOptions = {}) => {
      checkOptions(callOptions);
      return createStreams((name, parsed) =>
        createContext(dependencies, { name, tenantId, actor, options: callOptions, parsed }),
      );
    },
    use: (plugin) => {
      dependencies.plugins.add(plugin);
      return engine;
    },
    tenants: createTenants(dependencies),
    apiKeys: createApiKeys(dependencies),
    accounts: createAccounts(dependencies),
    wallets: createWallets(dependencies),
    database: options.database,
    events: createEventLog(dependencies),
    background,
    reembedding: createReembedding(dependencies),
    startBackground: (tickMs) => background.start(tickMs),
    close: async () => {
      await background.stop();
      await residents.close();
      await options.database.close();
    },
  };
  return engine;
}

const staticFor: EmbedderFor = (model) => (model === STATIC_MODEL ? createStaticEmbedder() : undefined);

function visibilityOf(context: Context) {
  return context.read((tx) => loadVisibility(tx, context.tenantId));
}

interface CallFacts {
  readonly name: OperationName;
  readonly tenantId: string;
  readonly actor: Actor;
  readonly options: CallOptions;
  readonly parsed: unknown;
}

function createContext(dependencies: Dependencies, call: CallFacts): Context {
  const { name, tenantId, actor, options } = call;
  const base = { ...dependencies, tenantId, actor, options, route: routes[name], now: dependencies.clock() };
  return {
    ...base,
    read: (work) => dependencies.database.read(tenantId, work),
    ...createWriter(base, [name, call.parsed]),
  };
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
