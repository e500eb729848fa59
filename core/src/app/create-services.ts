import type { FetchClientMetadata } from '../features/connections/client-metadata.ts';
import type { Embedder } from '../features/embedding/embedder.ts';
import { type EmbedderFor, EmbeddingModels } from '../features/embedding/embedding-models.ts';
import { createStaticEmbedder, STATIC_MODEL } from '../features/embedding/static/static-embedder.ts';
import { guardianPolicy } from '../features/guardian/guardian-policy.ts';
import type { ImportSources } from '../features/import/import.ts';
import type { JobHandler } from '../features/jobs/job-handler.ts';
import { FactsBeingStored } from '../features/memory/facts-being-stored.ts';
import { createInsertBatcher } from '../features/memory/insert-batcher.ts';
import { createCorpusStats } from '../features/recall/database-index/corpus-stats.ts';
import { IndexCache } from '../features/recall/in-memory-index/index-cache.ts';
import { limitReranker, type Reranker } from '../features/recall/reranking/reranker.ts';
import { createSharedQueries } from '../features/recall/shared-queries.ts';
import { createRecallLog } from '../features/recall-log/recall-log.ts';
import { createSpaces } from '../features/spaces/spaces.ts';
import { type WebhookOptions, withDefaults } from '../features/webhooks/webhooks.ts';
import { createUsageMeter } from '../kernel/commit/usage-meter.ts';
import type { EngineSettings, Services } from '../kernel/context/context.ts';
import { HookRegistry } from '../kernel/context/hook-registry.ts';
import type { HookRules } from '../kernel/context/hooks.ts';
import { withoutUndefined } from '../kernel/contract/settings.ts';
import type { Database } from '../kernel/database/database.ts';
import { Foreground } from '../kernel/queue/foreground.ts';
import { DAY_MS } from '../kernel/runtime/durations.ts';
import {
  type Clock,
  type Ids,
  type Logger,
  silentLogger,
  systemClock,
  uuidV7,
  withBareErrors,
} from '../kernel/runtime/runtime.ts';
import { Users } from '../kernel/tenancy/users.ts';
import type { LanguageModel } from '../language-model/language-model.ts';
import { featureParts } from './features.ts';
import { tables } from './tables.ts';

/** What an engine is made of. Only the database has no default. */
export interface EngineOptions {
  readonly database: Database;
  /** Default: the static embedder, which needs no network. */
  readonly embedder?: Embedder | undefined;
  /**
   * Makes the embedder of a model that was in use before, whose vectors still answer while memories are re-embedded;
   * default: the static one only. Without it, these answer by words alone meanwhile.
   */
  readonly embedderFor?: EmbedderFor | undefined;
  /** Helps reflection; without one it works by rules. */
  readonly llm?: LanguageModel | undefined;
  /** Orders the best results of a recall anew; without one, recall's own order stays. */
  readonly reranker?: Reranker | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: Ids | undefined;
  readonly logger?: Logger | undefined;
  /** Those that are left out, or undefined, have their defaults. */
  readonly settings?:
    | { readonly [Name in keyof EngineSettings]?: EngineSettings[Name] | undefined }
    | undefined;
  /** Needed to send events to endpoints; without it none can be registered. */
  readonly webhooks?: WebhookOptions | undefined;
  /** Fetches imports from Git and S3; without it they are refused. */
  readonly importSources?: ImportSources | undefined;
  /** Reads the metadata documents of apps that connect by OAuth; without it only apps that register are known. */
  readonly clientMetadata?: FetchClientMetadata | undefined;
  /** Does the jobs that tenants ask for; default: those of the service. */
  readonly jobHandlers?: readonly JobHandler[] | undefined;
}

const DEFAULT_SETTINGS: EngineSettings = {
  guardianCoolingMs: DAY_MS,
  guardianUnattended: 'harmless',
  driftCheckSimilarity: 0.75,
  driftCheckCompactions: 25,
  recallPatienceMs: 2_000,
  writePatienceMs: 5_000,
  rerankPatienceMs: 2_000,
  recallExactUpTo: 10_000,
  recallHeldBytes: 64 * 1024 ** 2,
  redactSecrets: true,
  pluginPatienceMs: 2_000,
  pluginStorePatienceMs: 30_000,
  mergeRepeated: true,
  recallLogDays: 7,
  conflictsPerDay: 200,
  recallWithout: [],
  signUpPlan: 'trial',
};

const staticFor: EmbedderFor = (model) => (model === STATIC_MODEL ? createStaticEmbedder() : undefined);

/** Makes what operations work with. */
export function createServices(options: EngineOptions): Services {
  const { database, clock = systemClock, embedderFor = staticFor } = options;
  const logger = withBareErrors(options.logger ?? silentLogger);
  const embedder = options.embedder ?? createStaticEmbedder();
  const settings: EngineSettings = { ...DEFAULT_SETTINGS, ...withoutUndefined(options.settings ?? {}) };
  const rules: HookRules = Object.assign({}, ...featureParts.map((part) => part.hooks), { event: 'notify' });
  const hooks = new HookRegistry({ rules, patience: settings, logger });
  const indexCache = new IndexCache({ database, logger }, settings.recallHeldBytes);
  return {
    database,
    clock,
    ids: options.ids ?? uuidV7,
    logger,
    hooks,
    settings,
    embedder,
    embeddingModels: new EmbeddingModels({ database, embedder, embedderFor, clock, logger }),
    corpusStats: createCorpusStats(settings.recallExactUpTo),
    indexCache,
    heldMemories: indexCache,
    sharedQueries: createSharedQueries(database),
    recallLog: createRecallLog({ database, logger, settings }),
    usageMeter: createUsageMeter(database),
    spaces: createSpaces({ database }),
    users: new Users({ database, clock }),
    insertBatcher: createInsertBatcher({ database, embedder, heldMemories: indexCache }),
    factsBeingStored: new FactsBeingStored(),
    foreground: new Foreground(),
    changePolicy: guardianPolicy,
    jobHandlers: options.jobHandlers ?? featureParts.flatMap(({ jobs = [] }) => jobs),
    eventTypes: new Set(featureParts.flatMap(({ events = [] }) => events)),
    tables,
    auditActs: new Map(featureParts.flatMap(({ acts = {} }) => Object.entries(acts))),
    erasers: featureParts.flatMap(({ erase }) => erase ?? []),
    agentTaken: featureParts.flatMap(({ agentTaken }) => agentTaken ?? []),
    bootSections: featureParts.flatMap(({ bootSections = [] }) => bootSections),
    ...(options.llm ? { languageModel: options.llm } : {}),
    ...(options.reranker ? { reranker: limitReranker(options.reranker, settings.rerankPatienceMs) } : {}),
    ...(options.webhooks ? { webhooks: withDefaults(options.webhooks) } : {}),
    ...(options.clientMetadata ? { clientMetadata: options.clientMetadata } : {}),
    ...(options.importSources ? { importSources: options.importSources } : {}),
  };
}
