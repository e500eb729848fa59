import {
  createStaticEmbedder,
  type Embedder,
  type EngineOptions,
  LOCAL_SERVERS,
  openAiEmbedder,
  openAiLanguageModel,
  remoteReranker,
  STATIC_MODEL,
  transformersEmbedder,
  transformersReranker,
} from '@svc-memory/core';
import { type AutoEmbedding, chooseAutoEmbedding } from './auto-embedding.ts';
import { type Config, ConfigError } from './config.ts';

/** The embedder, and those it may take the place of. */
type Embedding = { readonly [Name in 'embedder' | 'embedderFor']: NonNullable<EngineOptions[Name]> };

/**
 * Checks the variables that name models, without asking any model.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function checkModels(config: Config): void {
  if (config.embedder === 'auto') checkAuto(config);
  else embeddingOf(config);
  languageModelOf(config);
  rerankerOf(config);
}

/**
 * The embedder that the operator's variables name, or the one that `auto` chooses, with an explanation.
 *
 * @param modelInUse Reads the model that the stored memories have vectors of.
 * @throws ConfigError for variables that do not go together.
 */
export async function chooseEmbedding(
  config: Config,
  modelInUse: () => Promise<string | undefined>,
): Promise<Embedding & Partial<Pick<AutoEmbedding, 'explain'>>> {
  if (config.embedder !== 'auto') return embeddingOf(config);
  checkAuto(config);
  const { embedderUrl: url, embedderApiKey: apiKey } = config;
  const servers =
    url === undefined ? LOCAL_SERVERS : [{ name: 'the server of SVC_EMBEDDER_URL', url, apiKey }];
  return chooseAutoEmbedding({ inUse: await modelInUse(), servers });
}

function checkAuto({ embedderUrl, embedderApiKey, embedderCalibration }: Config): void {
  const mistakes: string[] = [];
  if (embedderApiKey !== undefined && embedderUrl === undefined) {
    mistakes.push(
      'SVC_EMBEDDER_API_KEY has no use with SVC_EMBEDDER auto, unless SVC_EMBEDDER_URL names the server that wants it',
    );
  }
  if (embedderCalibration) {
    mistakes.push('SVC_EMBEDDER_CALIBRATION has no use with SVC_EMBEDDER auto: it belongs to one model');
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}

/**
 * The embedder that the operator's variables name, and those it may take the place of.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function embeddingOf(config: Config): Embedding {
  const { embedder: chosen, embedderUrl, embedderApiKey, embedderCalibration } = config;
  if (chosen.startsWith('openai:') && embedderUrl === undefined && embedderApiKey === undefined) {
    throw new ConfigError([
      `SVC_EMBEDDER ${chosen} needs SVC_EMBEDDER_API_KEY for OpenAI, or SVC_EMBEDDER_URL of another server`,
    ]);
  }
  if (chosen === 'static' && embedderCalibration) {
    throw new ConfigError([
      'SVC_EMBEDDER_CALIBRATION has no use with SVC_EMBEDDER static, which has its own',
    ]);
  }
  const embedder = create(chosen, config, embedderCalibration);
  if (!embedder) throw new ConfigError([`SVC_EMBEDDER ${chosen} is not an embedder of this version`]);
  return { embedder, embedderFor: (model) => create(model, config) };
}

/** An embedder by the name of its vectors, as far as the variables tell how to reach it. */
function create(
  name: string,
  { embedderUrl: url, embedderApiKey: apiKey }: Config,
  calibration?: Config['embedderCalibration'],
): Embedder | undefined {
  if (name === 'static' || name === STATIC_MODEL) return createStaticEmbedder();
  const [kind, model = ''] = [name.slice(0, name.indexOf(':')), name.slice(name.indexOf(':') + 1)];
  if (kind === 'transformers') return transformersEmbedder({ model, calibration });
  if (kind === 'openai' && (url ?? apiKey) !== undefined) {
    return openAiEmbedder({ model, url, apiKey, calibration });
  }
  return undefined;
}

/**
 * The language model that the operator's variables name, if any.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function languageModelOf({ llmUrl, llmModel, llmApiKey }: Config): Pick<EngineOptions, 'llm'> {
  if (llmUrl === undefined && llmModel === undefined && llmApiKey === undefined) return {};
  if (llmUrl === undefined || llmModel === undefined) {
    throw new ConfigError(['SVC_LLM_URL and SVC_LLM_MODEL must be set together']);
  }
  return { llm: openAiLanguageModel({ url: llmUrl, model: llmModel, apiKey: llmApiKey }) };
}

/**
 * The reranker that the operator's variables name, if any.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function rerankerOf(config: Config): Pick<EngineOptions, 'reranker'> {
  const { reranker, rerankerUrl: url, rerankerModel: model, rerankerApiKey: apiKey } = config;
  const needsServer = reranker === 'openai-compatible';
  const settings = [
    ['SVC_RERANKER_MODEL', model, reranker !== 'none'],
    ['SVC_RERANKER_URL', url, needsServer],
    ['SVC_RERANKER_API_KEY', apiKey, needsServer],
  ] as const;
  const unused = settings.filter(([, value, isUsed]) => value !== undefined && !isUsed);
  if (unused.length > 0) {
    throw new ConfigError(
      unused.map(
        ([name]) => `${name} has no use with SVC_RERANKER ${reranker}; set SVC_RERANKER, or unset it`,
      ),
    );
  }
  if (reranker === 'none') return {};
  if (model === undefined || (needsServer && url === undefined)) {
    const needed = needsServer ? 'SVC_RERANKER_URL and SVC_RERANKER_MODEL' : 'SVC_RERANKER_MODEL';
    throw new ConfigError([`SVC_RERANKER ${reranker} needs ${needed}`]);
  }
  if (url === undefined) return { reranker: transformersReranker({ model }) };
  return { reranker: remoteReranker({ model, url, apiKey }) };
}

/** What an engine is made with by the configuration, whoever makes it; its database and embedder are opened apart. */
export function engineOptionsOf(config: Config): Pick<EngineOptions, 'llm' | 'reranker' | 'settings'> {
  return {
    ...languageModelOf(config),
    ...rerankerOf(config),
    settings: {
      guardianCoolingMs: config.guardianCoolingMs,
      guardianUnattended: config.guardianUnattended,
      redactSecrets: config.redactSecrets,
      mergeRepeated: config.mergeRepeated,
      recallLogDays: config.recallLogDays,
      conflictsPerDay: config.conflictsPerDay,
      signUpPlan: config.signUpPlan,
      recallHeldBytes: config.recallHeldMiB * 1024 ** 2,
    },
  };
}
