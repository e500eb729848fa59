import {
  createStaticEmbedder,
  type Embedder,
  type EngineOptions,
  openAiEmbedder,
  STATIC_MODEL,
  transformersEmbedder,
} from '@svc-memory/core';
import { type Config, ConfigError } from './config.ts';

/**
 * The embedder that the operator's variables name, and those it may take the place of.
 *
 * @throws ConfigError for variables that do not go together.
 */
export function embeddingOf(config: Config): Required<Pick<EngineOptions, 'embedder' | 'embedderFor'>> {
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
