import { createServer, type RequestListener } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listenInTest } from '../../../../../test/kit/use-server.ts';
import { findServedModels, LOCAL_SERVERS, type ModelServer, servedEmbedder } from './local-models.ts';
import { type OpenAiServer, startOpenAiServer } from './openai-server.fixture.ts';

let one: OpenAiServer;
let other: OpenAiServer;
let servers: readonly ModelServer[];
beforeAll(async () => {
  [one, other] = await Promise.all([startOpenAiServer(), startOpenAiServer()]);
  servers = [
    { name: 'One', url: one.url },
    { name: 'Other', url: other.url },
  ];
});
afterAll(async () => {
  await one.close();
  await other.close();
});
beforeEach(() => {
  for (const server of [one, other]) {
    server.models = [];
    server.received.length = 0;
    server.behave('works');
  }
});

/** A program on this machine that is no server of models. */
async function stranger(listener: RequestListener): Promise<ModelServer> {
  const { url } = await listenInTest(createServer(listener));
  return { name: 'Stranger', url: `${url}/v1` };
}

const found = async (asked = servers) =>
  (await findServedModels(asked)).map(({ server, model }) => `${server.name}: ${model}`);

describe('the search for embedding models', () => {
  it('asks loopback addresses only', () => {
    expect(LOCAL_SERVERS.map(({ url }) => new URL(url).hostname)).toEqual(
      LOCAL_SERVERS.map(() => '127.0.0.1'),
    );
  });

  it('finds them by their names, the preferred first, and nothing else', async () => {
    one.models = ['llama3.2:latest', 'all-minilm:22m', 'nomic-embed-text:latest', 'qwen3:8b'];
    other.models = ['bge-reranker-v2-m3', 'text-embedding-bge-m3', 'clip-embed', 'my-embedder', 'a b-embed'];
    expect(await found()).toEqual([
      'Other: text-embedding-bge-m3',
      'One: nomic-embed-text',
      'One: all-minilm:22m',
      'Other: my-embedder',
    ]);
  });

  it('takes the first server where several have a model', async () => {
    one.models = ['bge-m3'];
    other.models = ['bge-m3:latest'];
    expect(await found()).toEqual(['One: bge-m3', 'Other: bge-m3']);
  });

  it('asks TEI, which lists no models, for the one that it has', async () => {
    one.models = undefined;
    expect(await found()).toEqual(['One: BAAI/bge-small-en-v1.5']);
  });

  it('sends a key to the server that it belongs to, and to no other', async () => {
    one.models = ['needs a key', 'bge-m3'];
    other.models = ['needs a key', 'bge-m3'];
    const [first, second] = servers as [ModelServer, ModelServer];
    expect(await found([first, { ...second, apiKey: 'sk' }])).toEqual(['Other: bge-m3']);
  });

  it.each<[string, RequestListener]>([
    ['answers HTML', (_, response) => void response.end('<html>embed</html>')],
    ['answers another JSON', (_, response) => void response.end('{"data": {"id": "bge-m3"}}')],
    ['fails', (_, response) => void response.writeHead(500).end('{"data": [{"id": "bge-m3"}]}')],
    ['redirects', (_, response) => void response.writeHead(302, { location: `${one.url}/models` }).end()],
    ['hangs', () => {}],
    ['drops the connection', (_, response) => void response.destroy()],
  ])('passes by a program that %s', async (_, listener) => {
    one.models = ['bge-m3'];
    expect(await found([await stranger(listener), ...servers])).toEqual(['One: bge-m3']);
  });
});

describe('a model that one of several servers has', () => {
  it('is asked there', async () => {
    other.models = ['nomic-embed-text:latest'];
    const embedder = servedEmbedder('nomic-embed-text', servers);
    expect(embedder.model).toBe('openai:nomic-embed-text');
    await embedder.embed(['kettle'], undefined, 'query');
    expect([one.received, other.received]).toMatchObject([
      [],
      [{ model: 'nomic-embed-text', input: ['search_query: kettle'] }],
    ]);
  });

  it('is found once its server runs, and until then an error says which were asked', async () => {
    const embedder = servedEmbedder('bge-m3', servers);
    await expect(embedder.embed(['kettle'])).rejects.toMatchObject({
      failure: 'unreachable',
      message: `The embedder openai:bge-m3 is served by none of these: One at ${one.url}, Other at ${other.url}. Start the server that has it, or name another SVC_EMBEDDER.`,
    });
    one.models = ['bge-m3'];
    expect(await embedder.embed(['kettle'])).toHaveLength(1);
  });
});
