import { describe, expect, it } from 'vitest';
import { EmbedderError } from '../embedder.ts';
import { type AiSdkEmbeddingModel, aiSdkEmbedder, langChainEmbedder } from './code-embedders.ts';
import { vectorOf } from './openai-server.fixture.ts';
import { type Transformers, transformersEmbedder } from './transformers-embedder.ts';

const cosine = (a: Float32Array | undefined, b: readonly number[]) =>
  b.reduce((sum, value, k) => sum + value * (a?.[k] ?? 0), 0) / Math.hypot(...b);

/** An embedding model of the AI SDK that keeps what it was asked. */
function aiSdkModel(overrides: Partial<AiSdkEmbeddingModel> = {}) {
  const calls: string[][] = [];
  const model: AiSdkEmbeddingModel = {
    specificationVersion: 'v3',
    provider: 'made-up',
    modelId: 'words',
    maxEmbeddingsPerCall: 3,
    doEmbed: async ({ values }) => {
      calls.push(values);
      return { embeddings: values.map((value) => vectorOf('words', value)) };
    },
    ...overrides,
  };
  return { calls, model };
}

describe('an AI SDK embedding model', () => {
  it.each(['v2', 'v3', 'v4'])(
    'of specification %s embeds, in calls as large as it takes',
    async (specificationVersion) => {
      const { calls, model } = aiSdkModel({ specificationVersion });
      const embedder = aiSdkEmbedder(model);
      expect(embedder.model).toBe('ai-sdk:made-up:words');
      const texts = ['one dog', 'two cats', 'three mice', 'four cows'];
      const vectors = await embedder.embed(texts);
      expect(calls).toEqual([texts.slice(0, 3), texts.slice(3)]);
      texts.forEach((text, n) => {
        expect(cosine(vectors[n], vectorOf('words', text))).toBeCloseTo(1, 5);
      });
    },
  );

  it('is tried again when it has too much to do, and its errors are told without the text', async () => {
    let failures = 1;
    const { model } = aiSdkModel({
      doEmbed: async ({ values }) => {
        failures -= 1;
        if (failures >= 0) {
          const request = { statusCode: 503, requestBodyValues: values };
          throw Object.assign(new Error(`cannot embed ${values[0]}`), request);
        }
        return { embeddings: values.map((value) => vectorOf('words', value)) };
      },
    });
    const embedder = aiSdkEmbedder(model, { retryDelayMs: 1, retries: 1 });
    expect(await embedder.embed(['a secret'])).toHaveLength(1);
    failures = 9;
    const error = await embedder.embed(['a secret']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EmbedderError);
    expect(`${(error as Error).stack} ${JSON.stringify(error)}`).not.toContain('a secret');
  });
});

describe('a LangChain Embeddings', () => {
  it('embeds memories and queries by their own methods', async () => {
    const calls: string[] = [];
    const embedder = langChainEmbedder(
      {
        embedDocuments: async (texts) => {
          calls.push('documents');
          return texts.map((text) => vectorOf('words', text));
        },
        embedQuery: async (text) => {
          calls.push('query');
          return vectorOf('words', text);
        },
      },
      { name: 'words' },
    );
    expect(embedder.model).toBe('langchain:words');
    await embedder.embed(['one', 'two']);
    await embedder.embed(['three'], undefined, 'query');
    expect(calls).toEqual(['documents', 'query']);
  });
});

describe('a transformers embedder', () => {
  const library = (calls: unknown[]): Transformers => ({
    pipeline: async (...loaded) => {
      calls.push(loaded);
      return async (texts, options) => {
        calls.push(options);
        return { tolist: () => texts.map((text) => vectorOf('words', text)) };
      };
    },
  });

  it('loads its model once, and pools as the family of the model wants it', async () => {
    const calls: unknown[] = [];
    const embedder = transformersEmbedder({
      model: 'Xenova/bge-small-en-v1.5',
      load: async () => library(calls),
    });
    await embedder.embed(['one']);
    await embedder.embed(['two']);
    expect(calls).toEqual([
      ['feature-extraction', 'Xenova/bge-small-en-v1.5', { dtype: 'q8' }],
      { pooling: 'cls', normalize: true },
      { pooling: 'cls', normalize: true },
    ]);
  });

  it('says which package is missing, and works once it is there', async () => {
    const missing = transformersEmbedder({ model: 'Xenova/all-MiniLM-L6-v2' });
    await expect(missing.embed(['one'])).rejects.toThrow('npm install @huggingface/transformers');

    let installed = false;
    const embedder = transformersEmbedder({
      model: 'Xenova/all-MiniLM-L6-v2',
      load: async () => {
        if (installed) return library([]);
        throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
      },
    });
    await expect(embedder.embed(['one'])).rejects.toThrow('npm install @huggingface/transformers');
    installed = true;
    expect(await embedder.embed(['one'])).toHaveLength(1);
  });
});
