export { type AiSdkEmbeddingModel, aiSdkEmbedder, type CodeEmbedderOptions } from './ai-sdk-embedder.ts';
export { type LangChainEmbeddings, langChainEmbedder } from './langchain-embedder.ts';
export {
  findServedModels,
  LOCAL_SERVERS,
  type ModelServer,
  type ServedModel,
  servedEmbedder,
} from './local-models.ts';
export { type OpenAiEmbedderOptions, openAiEmbedder } from './openai-embedder.ts';
export type { Resilience } from './policies.ts';
export {
  type Transformers,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from './transformers-embedder.ts';
