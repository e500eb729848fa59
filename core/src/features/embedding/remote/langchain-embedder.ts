import { withoutUndefined } from '../../../kernel/contract/settings.ts';
import type { Embedder } from '../embedder.ts';
import type { CodeEmbedderOptions } from './ai-sdk-embedder.ts';
import { profileOf } from './model-profile.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';

/** What is used of LangChain's `Embeddings`. */
export interface LangChainEmbeddings {
  embedDocuments(texts: string[]): Promise<number[][]>;
  embedQuery(text: string): Promise<number[]>;
}

/**
 * Embeds by a LangChain `Embeddings`. It has no name of its own, so give one: vectors are stored under it, and must never
 * come from another model.
 */
export function langChainEmbedder(
  embeddings: LangChainEmbeddings,
  options: CodeEmbedderOptions & { readonly name: string },
): Embedder {
  const { name, maxBatch, maxTokens, calibration, ...resilience } = options;
  return createRemoteEmbedder(
    {
      model: `langchain:${name}`,
      // LangChain's classes put the prefixes themselves where a model wants any.
      maxTokens: maxTokens ?? profileOf(name).maxTokens,
      ...withoutUndefined({ maxBatch, calibration }),
      request: (texts, _signal, purpose) =>
        purpose === 'query'
          ? Promise.all(texts.map((text) => embeddings.embedQuery(text)))
          : embeddings.embedDocuments([...texts]),
    },
    resilience,
  );
}
