import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EmbedderError } from '../embedder.ts';
import { type OpenAiEmbedderOptions, openAiEmbedder } from './openai-embedder.ts';
import { type OpenAiServer, startOpenAiServer, vectorOf } from './openai-server.fixture.ts';

const KEY = 'sk-very-secret';
const TEXT = 'Ada keeps the blue key in the shed.';

let server: OpenAiServer;
beforeAll(async () => {
  server = await startOpenAiServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.behave('works');
  server.received.length = 0;
  server.mostCharacters = Number.POSITIVE_INFINITY;
});

const embedderWith = (options: Partial<OpenAiEmbedderOptions> = {}) =>
  openAiEmbedder({ model: 'small', url: server.url, apiKey: KEY, retryDelayMs: 1, retries: 2, ...options });

async function failureOf(work: Promise<unknown>): Promise<EmbedderError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(EmbedderError);
  const { message, stack, cause } = error as EmbedderError;
  expect(`${message} ${stack} ${JSON.stringify(cause)}`).not.toMatch(/very-secret|Ada keeps/);
  return error as EmbedderError;
}

const direction = (vector: readonly number[]) => {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};
const expectVector = (actual: Float32Array | undefined, expected: readonly number[]) => {
  expect(actual).toHaveLength(expected.length);
  const cosine = direction(expected).reduce((sum, value, k) => sum + value * (actual?.[k] ?? 0), 0);
  expect(cosine).toBeGreaterThan(0.999);
};

describe('an OpenAI-compatible embedder', () => {
  it('asks the server for the model with the key, and makes the vectors unit-long', async () => {
    const [vector] = await embedderWith().embed([TEXT]);
    expect(server.received).toEqual([{ model: 'small', input: [TEXT], authorization: `Bearer ${KEY}` }]);
    expectVector(vector, vectorOf('small', TEXT));
  });

  it('sends no key where it has none, and finds the same endpoint by either form of the address', async () => {
    for (const url of [server.url, `${server.url}/`, `${server.url}/embeddings`]) {
      await embedderWith({ url, apiKey: undefined }).embed([TEXT]);
    }
    expect(server.received.map(({ authorization }) => authorization)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('embeds in batches and answers in the order of the texts, whatever the order of the server', async () => {
    server.behave('reversed');
    const texts = Array.from({ length: 23 }, (_, n) => `text number ${n} word${n * 7}`);
    const vectors = await embedderWith({ maxBatch: 10 }).embed(texts);
    expect(server.received.map(({ input }) => input.length).sort()).toEqual([10, 10, 3]);
    for (const [n, text] of texts.entries()) expectVector(vectors[n], vectorOf('small', text));
  });

  it('puts the prefixes that a model wants before queries and memories', async () => {
    const embedder = embedderWith({ model: 'nomic-embed-text' });
    await embedder.embed(['where?'], undefined, 'query');
    await embedder.embed(['here'], undefined, 'memory');
    expect(server.received.map(({ input }) => input[0])).toEqual([
      'search_query: where?',
      'search_document: here',
    ]);
  });

  it('keeps the vectors of queries, also for callers at the same time', async () => {
    const embedder = embedderWith();
    const ask = () => embedder.embed([TEXT], undefined, 'query');
    const [one, other] = await Promise.all([ask(), ask()]);
    expect(await ask()).toEqual(one);
    expect(other).toEqual(one);
    expect(server.received).toHaveLength(1);
  });

  it('does not keep a failure', async () => {
    const embedder = embedderWith({ retries: 0 });
    server.behave({ status: 500 });
    await failureOf(embedder.embed([TEXT], undefined, 'query'));
    server.behave('works');
    expect(await embedder.embed([TEXT], undefined, 'query')).toHaveLength(1);
  });

  it('cuts a text the model is too small for, and averages its pieces', async () => {
    const long = 'a garden with many beds and a shed '.repeat(200);
    const [vector] = await embedderWith({ maxTokens: 100 }).embed([long]);
    const pieces = server.received.flatMap(({ input }) => input);
    expect(pieces.length).toBeGreaterThan(5);
    expect(pieces.join('')).toBe(long);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(400);
    expectVector(vector, vectorOf('small', long));
  });

  it('halves a text that the server finds too long, until it takes it', async () => {
    server.mostCharacters = 300;
    const long = 'a garden with many beds and a shed '.repeat(40);
    const [vector] = await embedderWith().embed([long]);
    expectVector(vector, vectorOf('small', long));
  });

  it('asks for fewer texts at once where the server takes no more, from then on', async () => {
    server.behave(({ input }) => (input.length > 10 ? { status: 422 } : 'works'));
    const embedder = embedderWith();
    const texts = Array.from({ length: 40 }, (_, n) => `text number ${n}`);
    const vectors = await embedder.embed(texts);
    for (const [n, text] of texts.entries()) expectVector(vectors[n], vectorOf('small', text));
    server.received.length = 0;
    await embedder.embed(texts);
    expect(server.received.map(({ input }) => input.length)).toEqual([10, 10, 10, 10]);
  });

  it('asks for as many texts at once after one among them was too long', async () => {
    server.mostCharacters = 300;
    const embedder = embedderWith();
    const texts = Array.from({ length: 16 }, (_, n) => `text number ${n}`);
    const long = 'a garden with many beds and a shed '.repeat(20);
    expectVector((await embedder.embed([...texts, long])).at(-1), vectorOf('small', long));
    server.received.length = 0;
    await embedder.embed(texts);
    expect(server.received.map(({ input }) => input.length)).toEqual([16]);
  });

  it('gives blank and strange texts a vector', async () => {
    const texts = ['', ' \n', '\ud800', '🎉', 'x'.repeat(50_000)];
    for (const vector of await embedderWith().embed(texts)) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it.each([
    ['too few vectors', 'too few vectors', 'gave 0 vectors for 1 texts'],
    ['NaN', 'NaN', 'a value that is no number'],
    ['a vector without length', 'zeros', 'without length'],
    ['a page in place of JSON', 'nothing but HTML', 'not JSON'],
  ] as const)('refuses %s, and does not ask again', async (_, behaviour, message) => {
    server.behave(behaviour);
    const error = await failureOf(embedderWith().embed([TEXT]));
    expect(error).toMatchObject({ failure: 'unusable' });
    expect(error.message).toContain(message);
    expect(server.received).toHaveLength(1);
  });

  it('refuses vectors of different lengths in one answer', async () => {
    server.behave((_, count) => (count === 1 ? 'works' : 'another number of dimensions'));
    const embedder = embedderWith({ maxBatch: 1, concurrency: 1 });
    expect(await failureOf(embedder.embed(['one', 'two']))).toMatchObject({ failure: 'unusable' });
  });

  it.each([
    [401, 'refused', 'SVC_EMBEDDER_API_KEY'],
    [404, 'refused', 'SVC_EMBEDDER_URL'],
    [302, 'refused', 'SVC_EMBEDDER_URL'],
    [422, 'rejected', 'does not take this text'],
  ])('takes %i for final and says what to do', async (status, failure, hint) => {
    server.behave({ status, body: { error: { code: 'some_code', message: `${KEY} for ${TEXT}` } } });
    const error = await failureOf(embedderWith().embed([TEXT]));
    expect(error).toMatchObject({ failure });
    expect(error.message).toContain(hint);
    expect(error.message).toContain('(some_code)');
    expect(server.received).toHaveLength(1);
  });

  it.each([[500], [502], [429], [503]])('tries again after %i', async (status) => {
    server.behave((_, count) => (count < 3 ? { status } : 'works'));
    expect(await embedderWith().embed([TEXT])).toHaveLength(1);
    expect(server.received).toHaveLength(3);
  });

  it('tries again after a lost connection, and gives up in the end', async () => {
    server.behave('drops the connection');
    expect(await failureOf(embedderWith().embed([TEXT]))).toMatchObject({ failure: 'unreachable' });
    expect(server.received).toHaveLength(3);
  });

  it('waits as long as the server asks, but not for minutes', async () => {
    server.behave((_, count) => (count === 1 ? { status: 429, headers: { 'retry-after': '0.3' } } : 'works'));
    const began = performance.now();
    await embedderWith().embed([TEXT]);
    expect(performance.now() - began).toBeGreaterThan(290);

    server.received.length = 0;
    server.behave({ status: 429, headers: { 'retry-after': '300' } });
    expect(await failureOf(embedderWith().embed([TEXT]))).toMatchObject({
      failure: 'busy',
      retryAfterMs: 300_000,
    });
    expect(server.received).toHaveLength(1);
  });

  it('ends a request that hangs, and one whose caller has gone', async () => {
    server.behave('hangs');
    expect(await failureOf(embedderWith({ timeoutMs: 50 }).embed([TEXT]))).toMatchObject({
      failure: 'timeout',
    });
    const caller = new AbortController();
    const work = embedderWith().embed([TEXT], caller.signal);
    caller.abort(new Error('gone'));
    await expect(work).rejects.toThrow('gone');
  });

  it('leaves a server alone that failed again and again, and comes back to it', async () => {
    const embedder = embedderWith({ retries: 0, failuresToPause: 3, pauseMs: 100 });
    server.behave({ status: 500 });
    for (let n = 0; n < 3; n += 1) await failureOf(embedder.embed([TEXT]));
    expect(await failureOf(embedder.embed([TEXT]))).toMatchObject({ failure: 'paused' });
    expect(server.received).toHaveLength(3);
    server.behave('works');
    await expect.poll(() => embedder.embed([TEXT]).catch(() => []), { timeout: 5_000 }).toHaveLength(1);
  });

  it('goes on after texts the model does not take: they say nothing of the server', async () => {
    const embedder = embedderWith({ failuresToPause: 2 });
    server.behave((request) => (request.input.includes('bad') ? { status: 400 } : 'works'));
    for (let n = 0; n < 4; n += 1) await failureOf(embedder.embed(['bad']));
    expect(await embedder.embed([TEXT])).toHaveLength(1);
  });

  it.each(['ftp://localhost/v1', 'localhost:1234', 'http://ada:pw@localhost/v1'])(
    'refuses the address %s',
    (url) => {
      expect(() => embedderWith({ url })).toThrow(TypeError);
    },
  );
});
