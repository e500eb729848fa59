import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../../app/contract.ts';
import { createEngine } from '../../../app/engine.ts';
import type { TestEngine } from '../../../testing/index.ts';
import { EmbedderError } from '../../embedding/embedder.ts';
import { createStaticEmbedder } from '../../embedding/static/static-embedder.ts';
import { expectSame, FILTERS, QUESTIONS, startHolding, told, type Watched } from './index-cache.fixture.ts';

let kit: TestEngine;
let holding: Watched;
let held: Awaited<ReturnType<typeof startHolding>>['held'];
beforeAll(async () => {
  ({ kit, holding, held } = await startHolding());
});
afterAll(() => kit.close());

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('a tenant whose memories are held in memory', () => {
  it('is answered as the database would: the same memories, in the same order, alike in every field', async () => {
    const { tenantId, here, there } = await held(250);
    await expectSame(here, there, {}, QUESTIONS);
    for (const filters of FILTERS) await expectSame(here, there, filters);
    await expectSame(here, there, { limit: 100 });
    await expectSame(here, there, { limit: undefined, max_tokens: 300 });
    await expectSame(here, there, { threshold: 0.5 });
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('shows every change at once, whichever process makes it', async () => {
    const { tenantId, here, there } = await held(60);
    const { memories: some } = await there.query({ limit: 8 });
    const [a, b, c, d] = some.map(({ id }) => id) as [string, string, string, string];
    const changes: (() => Promise<unknown>)[] = [
      () => there.remember({ type: 'semantic', content: 'The zebra paints the lighthouse.' }),
      () => there.remember({ type: 'working', key: 'plan', content: 'Sell the harbour.' }),
      () => there.remember({ type: 'working', key: 'plan', content: 'Keep the harbour after all.' }),
      () => there.update({ id: a, content: 'Nothing about anything.' }),
      () => there.update({ id: b, tags: ['even'], importance: 0.95 }),
      () => there.forget({ id: c }),
      () => there.restore({ id: c }),
      () => there.forget({ id: d }),
      () =>
        here.remember({ type: 'episodic', session_id: 's3', content: 'Ann: the zebra sold the compass.' }),
      () => there.rememberBatch({ memories: Array.from({ length: 300 }, (_, n) => told(1000 + n)) }),
    ];
    for (const change of changes) {
      await change();
      await expectSame(here, there);
      await expectSame(here, there, { tags: ['even'], include_times: true });
    }
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('keeps what memories hold that is long, rare, or written in other scripts', async () => {
    const { tenantId, here, there } = await held(20);
    const session = { type: 'episodic', session_id: 'Sitzung „drei“' } as const;
    const memories: Input<'rememberBatch'>['memories'] = [
      { type: 'semantic', content: 'Жук спит. 甲虫は夜に光る。 Der Käfer schläft 🪲 im Garten.' },
      { type: 'semantic', content: `${'violin 🎻 '.repeat(3_000)}`, importance: 0 },
      { type: 'working', key: 'ключ 🗝', content: 'A violin under a key.', tags: ['ä', '"', '\\', ',', '🎻'] },
      {
        type: 'semantic',
        content: 'The violin of many labels.',
        tags: Array.from({ length: 32 }, (_, n) => `n${n}`),
      },
      // In another order than they were told.
      { ...session, content: 'We met the violin maker last.', occurred_at: '2025-03-03T00:00:00Z' },
      { ...session, content: 'We left the violin maker first.', occurred_at: '1999-12-31T00:00:00Z' },
      { ...session, content: 'We asked the violin maker between.', occurred_at: '2010-01-01T00:00:00Z' },
      { ...session, content: 'We asked the violin maker then, too.', occurred_at: '2010-01-01T00:00:00Z' },
    ];
    await there.rememberBatch({ memories });
    const questions = ['Käfer im Garten', '甲虫', 'Жук', 'violin', 'who met the violin maker?'];
    await expectSame(here, there, {}, questions);
    await expectSame(here, there, { session_id: session.session_id }, questions);
    await expectSame(here, there, { tags: ['🎻', '"'] }, questions);
    await expectSame(here, there, { tags: ['n3'], session_id: 'nobody was here' }, questions);
    const { results } = await here.recall({ query: 'A violin under a key.' });
    expect(results[0]).toMatchObject({ key: 'ключ 🗝', tags: ['ä', '"', '\\', ',', '🎻'] });
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('shows long memories, and neighbours that the query itself does not find', async () => {
    const { tenantId, here, there } = await held(20);
    // Too long to be answered before they are known to be results, and more than the best, which always are.
    const long = Array.from({ length: 150 }, (_, n) => ({
      ...told(n),
      content: `${told(n).content} ${`Thing ${n} is told at length. `.repeat(90)}`,
    }));
    // Each of the first in a session with one that holds less of the query: too many to be answered at once, too.
    const pairs = Array.from({ length: 100 }, (_, n) => ({
      type: 'episodic' as const,
      session_id: `pair ${n >> 1}`,
      content:
        n % 2 === 0
          ? `The striped zebra ${n} was seen near the river.`
          : `Zebra it was, yesterday, said ${'who else was there '.repeat(n % 7)}${n}.`,
      occurred_at: new Date(Date.UTC(2026, 0, 1, 0, n)).toISOString(),
    }));
    await there.rememberBatch({ memories: long });
    await there.rememberBatch({ memories: pairs });
    await expectSame(here, there, { limit: 100 });
    await expectSame(here, there, { limit: 5 }, ['when was the striped zebra seen near the river?']);
    await expectSame(here, there, { limit: 10 }, ['when was the striped zebra seen near the river?']);
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('shows digests beside their episodes', async () => {
    const { tenantId, here, there } = await held(120);
    await there.reflect();
    await kit.engine.background.run('jobs.work');
    await expectSame(here, there);
    await expectSame(here, there, { types: ['semantic'] });
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('finds by meaning what got its vector later', async () => {
    const { tenantId, here, there } = await held(30);
    const embedder = {
      ...createStaticEmbedder(),
      embed: () => Promise.reject(new EmbedderError('failed', 'The embedder is away.')),
    };
    const without = createEngine({ clock: kit.clock, database: kit.engine.database, embedder }).agent(
      tenantId,
    );
    await without.rememberBatch({ memories: Array.from({ length: 20 }, (_, n) => told(500 + n)) });
    await expectSame(here, there);
    await kit.engine.background.run('embedding.catch-up');
    await expectSame(here, there);
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('is searched in the database again once memories were deleted outright, until they are read anew', async () => {
    const { tenantId, here, there } = await held(60);
    const { results } = await here.recall({ query: 'violin', threshold: 0 });
    const gone = sql`${results[0]?.id}::uuid`;
    await kit.engine.database.batch(tenantId, [
      sql`UPDATE corpus_sizes SET documents = documents - 1,
        words = words - (SELECT length FROM memories WHERE id = ${gone}) WHERE tenant_id = ${tenantId}::uuid`,
      sql`DELETE FROM memory_terms WHERE memory_id = ${gone}`,
      sql`DELETE FROM memory_vectors WHERE memory_id = ${gone}`,
      sql`DELETE FROM memories WHERE id = ${gone}`,
    ]);
    await expectSame(here, there);
    await holding.untilHeld(tenantId);
    await expectSame(here, there);
  });

  it('goes with a snapshot: what another transaction commits late is seen then, and what it undoes never', async () => {
    const { tenantId, here, there } = await held(40);
    const { memories: some } = await there.query({ limit: 2 });
    const change = (slot: number, content: string) =>
      sql`UPDATE memories SET tags = ARRAY[${content}] WHERE tenant_id = ${tenantId}::uuid AND id = ${some[slot]?.id}::uuid`;
    const tagged = async (tag: string) =>
      (await here.recall({ query: 'violin', tags: [tag], threshold: 0 })).results.length;
    const undone = kit.engine.database.transaction(tenantId, async (tx) => {
      await tx.execute(change(0, 'never'));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await tagged('never')).toBe(0);
    const [changed, mayCommit] = [gate(), gate()];
    const late = kit.engine.database.transaction(tenantId, async (tx) => {
      await tx.execute(change(1, 'late'));
      changed.open();
      // PGlite has one connection: there nobody is served meanwhile.
      if (kit.engine.database.kind === 'postgres') await mayCommit.opened;
    });
    await changed.opened;
    await there.remember({ type: 'semantic', content: 'Came later and was committed before.' });
    if (kit.engine.database.kind === 'postgres') expect(await tagged('late')).toBe(0);
    mayCommit.open();
    await late;
    expect(await tagged('late')).toBe(1);
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('never shows one tenant what another holds', async () => {
    const [one, other] = [await held(50), await held(50)];
    await one.there.remember({ type: 'semantic', content: 'The passphrase of the lighthouse is velvet.' });
    await one.here.recall({ query: 'passphrase velvet' });
    const { results } = await other.here.recall({ query: 'passphrase velvet', threshold: 0, limit: 50 });
    expect(results.filter(({ content }) => content.includes('velvet'))).toEqual([]);
    expect((await one.here.recall({ query: 'passphrase velvet' })).results[0]?.content).toContain('velvet');
  });

  it('counts each recall as one use, also where many come at once, and wherever they are searched', async () => {
    const { tenantId, here, there } = await held(30);
    const used = async () => (await here.status()).usage.operations_this_month;
    for (const agent of [here, there]) {
      const before = await used();
      await Promise.all(Array.from({ length: 20 }, () => agent.recall({ query: 'violin' })));
      expect((await used()) - before).toBe(20);
    }
    expect(await holding.isHeld(tenantId)).toBe(true);
  });
});
