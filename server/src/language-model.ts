import { type EngineOptions, openAiLanguageModel } from '@svc-memory/core';
import { type Config, ConfigError } from './config.ts';

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
