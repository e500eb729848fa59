import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestEngine, type TestEngine } from '../../../testing/index.ts';
import { remoteReranker } from './remote-reranker.ts';
import { type Answer, type RerankServer, scoreOf, startRerankServer } from './rerank-server.fixture.ts';

const QUERY = 'what about the lighthouse?';

let server: RerankServer;
/** The same database with a reranker, and without. */
let kit: TestEngine;
let plain: TestEngine;
const logged: string[] = [];
beforeAll(async () => {
  server = await startRerankServer();
  plain = await startTestEngine();
});
beforeEach(async () => {
  Object.assign(server, { speaksTei: false, answer: undefined });
  server.received.length = 0;
  logged.length = 0;
  kit = await startWithReranker();
});
afterAll(async () => {
  await plain.close();
  await server.close();
});

/** An engine with a reranker of its own: one that failed is left alone for a while. */
function startWithReranker(rerankPatienceMs = 60_000): Promise<TestEngine> {
  const warn = (facts: object, message: string) => {
    const { err } = facts as { err?: Error };
    logged.push(`${message} ${err?.message} ${err?.stack} ${JSON.stringify(facts)}`);
  };
  const nothing = () => {};
  return startTestEngine({
    database: plain.engine.database,
    clock: plain.clock,
    reranker: remoteReranker({ model: 'cross', url: server.url, apiKey: 'sk-very-secret' }),
    settings: { rerankPatienceMs },
    logger: { debug: nothing, info: nothing, warn, error: warn },
  });
}

/** A tenant with these memories; the first are the oldest. What happened is not compared with each other, as facts are. */
async function tenantWith(contents: readonly string[], type: 'episodic' | 'semantic' = 'episodic') {
  const { tenantId, agent } = await plain.tenant();
  await agent().rememberBatch({
    memories: contents.map((content) => ({ type, content })),
  });
  return { tenantId, ask: (query: string) => kit.engine.agent(tenantId).recall({ query, threshold: 0 }) };
}

const SAID = [
  'The lighthouse, the lighthouse: it was about the lighthouse that we spoke.',
  'The lighthouse keeper left.',
  'Lighthouse.',
  'A pear tree.',
];

describe('a recall with a reranker', () => {
  it('answers in the order of the reranker, with the similarities that recall gave', async () => {
    const { tenantId, ask } = await tenantWith(SAID);
    const { results: before } = await plain.engine.agent(tenantId).recall({ query: QUERY, threshold: 0 });
    const { results, ...more } = await ask(QUERY);
    const contents = results.map(({ content }) => content);
    expect(contents).toEqual([...SAID].sort((a, b) => scoreOf(QUERY, b) - scoreOf(QUERY, a)));
    expect(contents).not.toEqual(before.map(({ content }) => content));
    expect(results.map(({ similarity }) => similarity)).toEqual(before.map(({ similarity }) => similarity));
    expect(more).toEqual({});
    expect(server.received.map(({ body }) => body.query)).toEqual([QUERY]);
  });

  it('finds by it what its own order had beyond the limit', async () => {
    const { tenantId } = await tenantWith(SAID);
    const request = { query: QUERY, threshold: 0, limit: 1 };
    const { results: before } = await plain.engine.agent(tenantId).recall(request);
    const { results } = await kit.engine.agent(tenantId).recall(request);
    expect([before[0]?.content, results[0]?.content]).toEqual([SAID[0], 'Lighthouse.']);
  });

  it('keeps the order of the reranker among memories that recall cannot tell apart', async () => {
    const { ask } = await tenantWith(['aa aa aa', 'bb bb', 'c', 'dd dd dd dd']);
    const { results } = await ask('zebra');
    expect(results.map(({ content }) => content)).toEqual(['c', 'bb bb', 'aa aa aa', 'dd dd dd dd']);
  });

  it('sends the best 32 memories at most, of long ones the beginning', async () => {
    const long = `The lighthouse ${'blinks and '.repeat(2_000)}`;
    const { ask } = await tenantWith([
      long,
      ...Array.from({ length: 40 }, (_, n) => `Lighthouse number ${n}.`),
    ]);
    await ask(QUERY);
    await ask(`lighthouse ${'nonsense words '.repeat(200)}`);
    for (const { body } of server.received) {
      expect(body.documents).toHaveLength(32);
      const most = Math.max(...(body.documents ?? []).map(({ length }) => length));
      expect(most).toBeLessThan(1_500);
      expect(body.query?.length).toBeLessThan(500);
    }
  });

  it.each(['what about the lighthouse last week?', 'what is the latest about the lighthouse?'])(
    'leaves "%s" in the order of recall, which knows the time',
    async (query) => {
      const { tenantId, ask } = await tenantWith(SAID);
      const { results } = await plain.engine.agent(tenantId).recall({ query, threshold: 0 });
      expect((await ask(query)).results).toEqual(results);
      expect(server.received).toEqual([]);
    },
  );

  it('sends nothing that is withheld from the human who asks', async () => {
    const { tenantId } = await tenantWith(SAID);
    const agent = kit.engine.agent(tenantId);
    for (const [tag, content] of [
      ['hidden', 'The lighthouse canary sings.'],
      ['redacted', 'The lighthouse canary sleeps.'],
    ] as const) {
      await agent.remember({ type: 'semantic', content, tags: [tag] });
    }
    const { session_key: sessionKey } = await agent.sessionKey();
    await agent.setVisibility({ tags: { hidden: 'hidden', redacted: 'redacted' } }, { sessionKey });
    await agent.recall({ query: QUERY, threshold: 0 });
    expect(JSON.stringify(server.received)).toContain('canary');
    server.received.length = 0;
    const human = kit.engine.agent(tenantId, { source: 'human', credentialId: randomUUID() });
    expect((await human.recall({ query: QUERY, threshold: 0 })).results).toHaveLength(4);
    expect(server.received).toHaveLength(1);
    expect(JSON.stringify(server.received)).not.toContain('canary');
  });

  it('of another tenant sends nothing of this one', async () => {
    await tenantWith(['The lighthouse canary sings.']);
    const { ask } = await tenantWith(SAID);
    await ask(QUERY);
    expect(JSON.stringify(server.received)).not.toContain('canary');
  });

  it('puts a superseding memory before the one that it supersedes, whatever the reranker says', async () => {
    const { tenantId, ask } = await tenantWith(['The release manager of Orchard is Maya.'], 'semantic');
    const agent = kit.engine.agent(tenantId);
    plain.clock.advance(1_000);
    const newer = await agent.remember({
      type: 'semantic',
      content: 'The release manager of Orchard is Ben.',
    });
    await agent.reflect();
    await kit.engine.background.run('jobs.work');
    const { results } = await ask('who is Maya?');
    expect(results.map(({ id }) => id)).toEqual([newer.memory.id]);
    expect(server.received).toHaveLength(1);
  });
});

const json =
  (answer: unknown): Answer =>
  (response) =>
    response.end(JSON.stringify(answer));

describe('while the reranker', () => {
  it.each<[string, Answer]>([
    ['fails', (response) => response.writeHead(500).end('sk-very-secret lighthouse')],
    ['drops its connections', (response) => response.destroy()],
    ['answers HTML', (response) => response.end('<html>lighthouse</html>')],
    ['scores too few', json({ results: [{ index: 0, relevance_score: 1 }] })],
    ['gives no numbers', json({ results: SAID.map((_, index) => ({ index, relevance_score: null })) })],
    ['refuses the key', (response) => response.writeHead(401).end('sk-very-secret')],
  ])('%s, recall goes by its own order, and the log says why', async (_, how) => {
    server.answer = how;
    const { tenantId, ask } = await tenantWith(SAID);
    const expected = await plain.engine.agent(tenantId).recall({ query: QUERY, threshold: 0 });
    expect(await ask(QUERY)).toEqual(expected);
    expect(server.received).toHaveLength(1);
    expect(logged).toEqual([
      expect.stringMatching(/^the reranker is away; recall goes by its own order The reranker cross /),
    ]);
    expect(logged.join()).not.toMatch(/very-secret|keeper|pear tree/);
  });

  it('hangs, recall does not wait for longer than its patience', async () => {
    server.answer = () => {};
    kit = await startWithReranker(50);
    const { tenantId, ask } = await tenantWith(SAID);
    const expected = await plain.engine.agent(tenantId).recall({ query: QUERY, threshold: 0 });
    expect(await ask(QUERY)).toEqual(expected);
    expect(logged).toEqual([expect.stringContaining('did not answer within 50 ms')]);
  });

  it('fails time and again, it is left alone for a while', async () => {
    server.answer = (response) => response.writeHead(500).end();
    const { ask } = await tenantWith(SAID);
    for (let time = 0; time < 5; time += 1) expect((await ask(QUERY)).results).toHaveLength(4);
    expect(server.received).toHaveLength(3);
    expect(logged.at(-1)).toContain('failed 3 times in a row and is left alone for a while');
  });

  it('hangs, a caller who leaves is not kept waiting, and that is no failure of the reranker', async () => {
    server.answer = () => {};
    const { tenantId } = await tenantWith(SAID);
    const leaving = new AbortController();
    const asking = kit.engine
      .agent(tenantId)
      .recall({ query: QUERY, threshold: 0 }, { signal: leaving.signal });
    await expect.poll(() => server.received, { timeout: 60_000 }).toHaveLength(1);
    leaving.abort(new Error('left'));
    await expect(asking).rejects.toThrow('left');
    expect(logged).toEqual([]);
  });
});

describe('a reranker given in code', () => {
  it('whose answer is of no use changes nothing', async () => {
    const { tenantId } = await tenantWith(SAID);
    const expected = await plain.engine.agent(tenantId).recall({ query: QUERY, threshold: 0 });
    for (const scores of [[], [1, 2], [1, 2, Number.NaN, 3], [1, 2, Number.POSITIVE_INFINITY, 3]]) {
      const own = await startTestEngine({
        database: plain.engine.database,
        clock: plain.clock,
        reranker: { model: 'own', rerank: async () => scores },
      });
      expect(await own.engine.agent(tenantId).recall({ query: QUERY, threshold: 0 })).toEqual(expected);
    }
  });
});
