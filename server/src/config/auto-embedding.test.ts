import { STATIC_MODEL, type Transformers } from '@svc-memory/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type OpenAiServer,
  startOpenAiServer,
} from '../../../core/src/features/embedding/remote/openai-server.fixture.ts';
import { type AutoSources, chooseAutoEmbedding } from './auto-embedding.ts';

let ollama: OpenAiServer;
let studio: OpenAiServer;
beforeAll(async () => {
  [ollama, studio] = await Promise.all([startOpenAiServer(), startOpenAiServer()]);
});
afterAll(async () => {
  await ollama.close();
  await studio.close();
});
beforeEach(() => {
  for (const server of [ollama, studio]) {
    server.models = [];
    server.received.length = 0;
    server.behave('works');
  }
});

async function choose(sources: Partial<AutoSources> = {}) {
  const servers = [
    { name: 'Ollama', url: ollama.url },
    { name: 'LM Studio', url: studio.url },
  ];
  const { embedder, embedderFor, explain } = await chooseAutoEmbedding({
    inUse: undefined,
    servers,
    ...sources,
  });
  return { embedder, embedderFor, ...(await explain()) };
}

/** A library that has some models on this machine, and fetches none. */
const libraryWith =
  (...models: readonly string[]) =>
  async (): Promise<Transformers> => ({
    pipeline: async (_, model, { local_files_only: localOnly }) => {
      if (!localOnly) throw new Error('this would download');
      if (!models.includes(model)) throw new Error('not found locally');
      return async (texts) => ({ tolist: () => texts.map(() => [1, 0]) });
    },
  });

describe('auto, where no memory is stored', () => {
  it('takes a model that a server has, once it made a vector', async () => {
    ollama.models = ['llama3.2', 'nomic-embed-text:latest'];
    const { embedder, message, isAvailable } = await choose();
    expect(message).toBe(`openai:nomic-embed-text, which Ollama serves at ${ollama.url}`);
    expect(isAvailable).toBe(true);
    expect(await embedder.embed(['kettle'])).toHaveLength(1);
    expect(ollama.received).toHaveLength(2);
  });

  it('passes by one that makes none, and says so', async () => {
    ollama.models = ['bge-m3'];
    studio.models = ['all-minilm'];
    ollama.behave({ status: 500 });
    expect((await choose()).embedder.model).toBe('openai:all-minilm');
    studio.behave('NaN');
    const { embedder, message } = await choose();
    expect(embedder.model).toBe(STATIC_MODEL);
    expect(message).toMatch(
      /; Ollama has bge-m3, but: .* answered 500\.; LM Studio has all-minilm, but: .*no number/,
    );
  });

  it('takes one that transformers.js has on this machine, and downloads none', async () => {
    const { message } = await choose({ load: libraryWith('Xenova/all-MiniLM-L6-v2') });
    expect(message).toBe('transformers:Xenova/all-MiniLM-L6-v2, which transformers.js has on this machine');
    expect((await choose({ load: libraryWith() })).embedder.model).toBe(STATIC_MODEL);
  });

  it('takes the static one where there is none, and says who was asked', async () => {
    const { embedder, message, isAvailable } = await choose();
    expect(embedder.model).toBe(STATIC_MODEL);
    expect(isAvailable).toBe(true);
    expect(message).toBe(
      `${STATIC_MODEL}, since neither a server on this machine has an embedding model that works, nor transformers.js: asked were Ollama (${ollama.url}), LM Studio (${studio.url})`,
    );
  });
});

describe('auto, where memories are stored', () => {
  it('keeps their model, and says how to change it', async () => {
    studio.models = ['bge-m3'];
    const { embedder, message } = await choose({ inUse: STATIC_MODEL });
    expect(embedder.model).toBe(STATIC_MODEL);
    expect(message).toBe(
      `${STATIC_MODEL}, in use here already. LM Studio has bge-m3 too: to change to it, stop the service and run SVC_EMBEDDER=openai:bge-m3 SVC_EMBEDDER_URL=${studio.url} npx svc-memory reembed`,
    );
    expect(studio.received, 'texts sent').toEqual([]);
  });

  it('takes the static one of this version in place of an older one, which it has no more', async () => {
    const { embedder, message } = await choose({ inUse: 'static:older-100d' });
    expect(embedder.model).toBe(STATIC_MODEL);
    expect(message).toBe(`${STATIC_MODEL}, this version's offline model, in place of static:older-100d`);
  });

  it('asks it wherever it is served', async () => {
    ollama.models = ['all-minilm'];
    studio.models = ['nomic-embed-text'];
    const { embedder, message, isAvailable } = await choose({ inUse: 'openai:all-minilm' });
    await embedder.embed(['kettle']);
    expect([ollama.received.length, studio.received.length, isAvailable]).toEqual([1, 0, true]);
    expect(message).toMatch(
      /^openai:all-minilm, in use here already, which Ollama serves at .*LM Studio has nomic/,
    );
  });

  it('offers no change where there is nothing it would prefer', async () => {
    ollama.models = ['nomic-embed-text'];
    studio.models = ['all-minilm'];
    expect((await choose({ inUse: 'openai:nomic-embed-text' })).message).toBe(
      `openai:nomic-embed-text, in use here already, which Ollama serves at ${ollama.url}`,
    );
  });

  it('keeps it while it is away, and says what that means', async () => {
    const { embedder, message, isAvailable } = await choose({ inUse: 'openai:all-minilm' });
    expect([embedder.model, isAvailable]).toEqual(['openai:all-minilm', false]);
    expect(message).toBe(
      'openai:all-minilm, in use here already, which no server on this machine serves now: recall goes by words alone until one does, or until SVC_EMBEDDER=static npx svc-memory reembed is run',
    );
    await expect(embedder.embed(['kettle'])).rejects.toThrow('Start the server that has it');
  });

  it('downloads no model of transformers.js', async () => {
    const inUse = 'transformers:Xenova/bge-small-en-v1.5';
    const { embedder } = await choose({ inUse, load: libraryWith() });
    expect(embedder.model).toBe(inUse);
    await expect(embedder.embed(['kettle'])).rejects.toThrow('not found locally');
  });
});
