import { withoutUndefined } from '../../../kernel/contract/settings.ts';
import { chunksOf } from '../../../kernel/database/parameters.ts';
import { type Calibration, type Embedder, EmbedderError, type EmbedderFailure } from '../embedder.ts';
import { profileOf } from './model-profile.ts';
import type { Resilience } from './policies.ts';
import { createRemoteEmbedder } from './remote-embedder.ts';

/** What is used of an AI SDK embedding model, of the specifications v2, v3 and v4 (`ai` 5 to 7). */
export interface AiSdkEmbeddingModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  readonly maxEmbeddingsPerCall: PromiseLike<number | undefined> | number | undefined;
  doEmbed(options: {
    values: string[];
    abortSignal?: AbortSignal;
  }): PromiseLike<{ readonly embeddings: readonly (readonly number[])[] }>;
}

/** Settings of an embedder given in code. */
export interface CodeEmbedderOptions extends Resilience {
  /** Name stored beside every vector. */
  readonly name?: string | undefined;
  /** Tokens of a text that the model reads; default by the model's name, else 500. */
  readonly maxTokens?: number | undefined;
  /** Most texts in a request; default 64, or less where the model says so. */
  readonly maxBatch?: number | undefined;
  /** Default: measured at first use. */
  readonly calibration?: Calibration | undefined;
}

/**
 * Embeds by an AI SDK embedding model, such as `openai.embeddingModel('text-embedding-3-small')`. Its vectors are named
 * `ai-sdk:<provider>:<model>`.
 */
export function aiSdkEmbedder(model: AiSdkEmbeddingModel, options: CodeEmbedderOptions = {}): Embedder {
  const {
    name = `ai-sdk:${model.provider}:${model.modelId}`,
    maxBatch,
    maxTokens,
    calibration,
    ...resilience
  } = options;
  const profile = profileOf(model.modelId);
  return createRemoteEmbedder(
    {
      ...profile,
      model: name,
      ...withoutUndefined({ maxTokens, maxBatch, calibration }),
      request: async (texts, signal) => {
        const most = Math.max(1, (await model.maxEmbeddingsPerCall) ?? texts.length);
        const vectors: (readonly number[])[] = [];
        for (const values of chunksOf(texts, most)) {
          vectors.push(...(await doEmbed(model, name, values, signal)));
        }
        return vectors;
      },
    },
    resilience,
  );
}

async function doEmbed(model: AiSdkEmbeddingModel, name: string, values: string[], abortSignal: AbortSignal) {
  try {
    return (await model.doEmbed({ values, abortSignal })).embeddings;
  } catch (error) {
    abortSignal.throwIfAborted();
    throw translate(name, error);
  }
}

/** The AI SDK's errors carry a status, and also the texts of the request, which must not get into a log. */
function translate(name: string, error: unknown): EmbedderError {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : Number.NaN;
  const kind = error instanceof Error ? error.name : 'an error';
  const said = `The embedder ${name} failed: ${kind}${Number.isNaN(status) ? '' : ` with status ${status}`}.`;
  return new EmbedderError(failureOf(status), said);
}

function failureOf(status: number): EmbedderFailure {
  if (status === 429 || status === 503) return 'busy';
  if (status === 401 || status === 403 || status === 404) return 'refused';
  return status === 400 || status === 413 || status === 422 ? 'rejected' : 'failed';
}

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
