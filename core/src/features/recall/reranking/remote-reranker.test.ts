import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../../../test/kit/listen.ts';
import { remoteReranker } from './remote-reranker.ts';
import { type Answer, type RerankServer, scoreOf, startRerankServer } from './rerank-server.fixture.ts';

const KEY = 'sk-very-secret';
const QUERY = 'Where does the kettle stand?';
const DOCUMENTS = ['The garden wants compost.', 'The kettle whistles.', 'We stand in line.'];
const forever = new AbortController().signal;

let server: RerankServer;
beforeAll(async () => {
  server = await startRerankServer();
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server, { speaksTei: false, answer: undefined });
  server.received.length = 0;
});

const rerankerWith = (options: Partial<Parameters<typeof remoteReranker>[0]> = {}) =>
  remoteReranker({ model: 'cross', url: server.url, apiKey: KEY, ...options });
const expected = DOCUMENTS.map((document) => scoreOf(QUERY, document));

describe('a reranker behind HTTP', () => {
  it('is asked for the model with the key, and its scores are put in the order of the documents', async () => {
    expect(await rerankerWith().rerank(QUERY, DOCUMENTS, forever)).toEqual(expected);
    expect(server.received).toEqual([
      {
        path: '/v1/rerank',
        authorization: `Bearer ${KEY}`,
        body: { model: 'cross', query: QUERY, documents: DOCUMENTS, top_n: 3 },
      },
    ]);
  });

  it('gets no key where there is none, and is found by each form of its address', async () => {
    for (const url of [server.url, `${server.url}/`, `${server.url}/rerank`]) {
      await rerankerWith({ url, apiKey: undefined }).rerank(QUERY, DOCUMENTS, forever);
    }
    expect(server.received.map(({ path, authorization }) => [path, authorization])).toEqual(
      Array.from({ length: 3 }, () => ['/v1/rerank', undefined]),
    );
  });

  it('that speaks as TEI is understood, and from then on addressed so', async () => {
    server.speaksTei = true;
    const reranker = rerankerWith();
    expect(await reranker.rerank(QUERY, DOCUMENTS, forever)).toEqual(expected);
    expect(await reranker.rerank(QUERY, DOCUMENTS, forever)).toEqual(expected);
    expect(server.received.map(({ body }) => Object.keys(body))).toEqual([
      ['model', 'query', 'documents', 'top_n'],
      ['query', 'texts', 'truncate'],
      ['query', 'texts', 'truncate'],
    ]);
  });

  it('is not waited for once nobody wants its answer', async () => {
    server.answer = () => {};
    const wanted = new AbortController();
    const asking = rerankerWith().rerank(QUERY, DOCUMENTS, wanted.signal);
    await expect.poll(() => server.received, { timeout: 60_000 }).toHaveLength(1);
    wanted.abort();
    await expect(asking).rejects.toThrow();
    await server.closed();
  });

  const json =
    (make: (scores: readonly number[]) => unknown): Answer =>
    (response, scores) =>
      response.end(JSON.stringify(make(scores)));
  const status =
    (code: number, headers: Record<string, string> = {}): Answer =>
    (response) =>
      response
        .writeHead(code, headers)
        .end(`{"error": {"message": "${KEY} and the kettle", "code": "no_way"}}`);
  const results = (scores: readonly (number | string | null)[]) => ({
    results: scores.map((relevance_score, index) => ({ index, relevance_score })),
  });

  it.each<[string, Answer, RegExp]>([
    ['answers HTML', (response) => response.end('<html>the kettle</html>'), /else than a list of results/],
    ['answers without results', json(() => ({ model: 'x' })), /else than a list of results/],
    ['scores too few documents', json((scores) => results(scores.slice(1))), /no score for each document/],
    ['scores too many', json((scores) => results([...scores, 1])), /no score for each document/],
    [
      'scores one document twice',
      json(() => ({ results: [0, 1, 1].map((index) => ({ index, relevance_score: 1 })) })),
      /no score for each document/,
    ],
    ['gives NaN', json(() => results([1, Number.NaN, 2])), /no score for each document/],
    ['gives words for numbers', json(() => results([1, '0.3', 2])), /no score for each document/],
    ['fails', status(500), /answered 500 \(no_way\)\./],
    ['refuses the key', status(401), /answered 401 \(no_way\): correct SVC_RERANKER_API_KEY/],
    ['is another program', status(404), /answered 404.*correct SVC_RERANKER_URL, which mostly ends in \/v1/],
    ['refuses both formats', status(400), /answered 400.*correct SVC_RERANKER_MODEL/],
    ['redirects', status(307, { location: 'http://127.0.0.1:9/' }), /answered 307.*SVC_RERANKER_URL/],
    ['drops the connection', (response) => response.destroy(), /cannot be reached.*SVC_RERANKER_URL/],
    [
      'does not stop answering',
      (response) => {
        const more = () => response.write('x'.repeat(65_536)) && setImmediate(more);
        response.on('drain', more);
        more();
      },
      /else than a list of results/,
    ],
  ])('that %s fails without a word of what was asked, or of the key', async (_, how, why) => {
    server.answer = how;
    const error = await rerankerWith()
      .rerank(QUERY, DOCUMENTS, forever)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    const { message, stack } = error as Error;
    expect(message).toMatch(why);
    expect(`${message} ${stack} ${JSON.stringify(error)}`).not.toMatch(/very-secret|kettle/);
  });

  it('that is not there is told with its address', async () => {
    const url = `http://127.0.0.1:${await freePort()}/v1`;
    await expect(rerankerWith({ url }).rerank(QUERY, DOCUMENTS, forever)).rejects.toThrow(
      `The reranker cross cannot be reached at ${url}/rerank (ECONNREFUSED): start it, or correct SVC_RERANKER_URL.`,
    );
  });

  it.each(['file:///etc/passwd', 'http://ada:pw@localhost/v1', 'localhost:8000'])(
    'refuses the address %s',
    (url) => {
      expect(() => rerankerWith({ url })).toThrow(/The address of the reranker must/);
    },
  );
});
