import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory, Output } from '../../contract/index.ts';
import { EmbedderError } from '../../embedding/embedder-error.ts';
import { createStaticEmbedder } from '../../embedding/static/index.ts';
import { createEngine, type Engine } from '../../engine/engine.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';

let kit: TestEngine;
/** Over the same database; one holds busy tenants' memories, the other never does. */
let holding: Watched;
let plain: Engine;
beforeAll(async () => {
  kit = await startTestEngine();
  holding = watched(8 * 1024 ** 2);
  plain = watched(0).engine;
});
afterAll(() => kit.close());

interface Watched {
  readonly engine: Engine;
  /** Resolves when this engine holds the tenant's memories: then a recall asks once, in what also counts its use. */
  untilHeld(tenantId: string): Promise<void>;
  isHeld(tenantId: string): Promise<boolean>;
}

function watched(recallHeldBytes: number): Watched {
  const { database } = kit.engine;
  let asked = 0;
  const batch: typeof database.batch = (tenantId, statements) => {
    asked += 1;
    return database.batch(tenantId, statements);
  };
  const engine = createEngine({
    clock: kit.clock,
    database: { ...database, batch },
    settings: { recallHeldBytes },
  });
  const isHeld = async (tenantId: string) => {
    asked = 0;
    await engine.agent(tenantId).recall({ query: 'violin', threshold: 0 });
    return asked === 1;
  };
  const untilHeld = (tenantId: string) => expect.poll(() => isHeld(tenantId), { timeout: 20_000 }).toBe(true);
  return { engine, isHeld, untilHeld };
}

const NAMES = ['Ann', 'Bo', 'Chen', 'Dara', 'Eve', 'Farid'];
const THINGS = [
  'kettle',
  'garden',
  'invoice',
  'violin',
  'harbour',
  'compass',
  'orchard',
  'curtain',
  'lighthouse',
];
const DEEDS = ['bought', 'sold', 'painted', 'lost', 'found', 'repaired', 'borrowed'];
const QUESTIONS = [
  'who painted the lighthouse?',
  'When did Ann lose the violin?',
  'what did Bo buy last week',
  'harbour',
  'the newest about the orchard',
  'Chen: I sold the compass in March.',
  'lighthous keper',
  'zebra quantum',
];
const FILTERS = [
  { types: ['episodic'] },
  { types: ['semantic', 'core'] },
  { tags: ['even'] },
  { session_id: 's3' },
  { since: '2026-01-10', until: '2026-02-01' },
  { category: 'tools' },
] as const;

function told(n: number) {
  const [name, deed, thing] = [NAMES[n % 6], DEEDS[(n * 5) % 7], THINGS[(n * 7) % 9]];
  const types = ['episodic', 'semantic', 'core'] as const;
  const type = types[n % 3] ?? 'semantic';
  return {
    type,
    content: `${name}: I ${deed} the ${thing}${n % 4 === 0 ? ' yesterday, did you?' : ` number ${n}.`}`,
    ...(type === 'core' ? { category: n % 2 ? ('tools' as const) : ('routine' as const) } : {}),
    ...(n % 2 ? {} : { tags: ['even', `n${n % 10}`] }),
    ...(type === 'episodic' ? { session_id: `s${n % 7}` } : {}),
    importance: (n % 10) / 10,
    occurred_at: new Date(Date.UTC(2026, 0, 1 + (n % 45), n % 24)).toISOString(),
  };
}

/** A tenant with memories, held by one engine and asked of both. */
async function held(count: number) {
  const { tenantId } = await kit.tenant();
  const [here, there] = [holding.engine.agent(tenantId), plain.agent(tenantId)];
  for (let done = 0; done < count; done += 200) {
    const batch = Array.from({ length: Math.min(200, count - done) }, (_, n) => told(done + n));
    await there.rememberBatch({ memories: batch });
  }
  await holding.untilHeld(tenantId);
  return { tenantId, here, there };
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** As answered from memory, where the numbers of vectors are rounded: a similarity may differ by what that makes. */
function roundly({ results, ...more }: Output<'recall'>) {
  const round = results.map((one) => ({ ...one, similarity: expect.closeTo(one.similarity, 3) }));
  return { results: round, ...more };
}

async function expectSame(
  here: AgentMemory,
  there: AgentMemory,
  input: object = {},
  questions: readonly string[] = QUESTIONS.slice(0, 3),
) {
  for (const query of questions) {
    const ask = { query, threshold: 0, limit: 20, ...input };
    expect(await here.recall(ask), `${query} ${JSON.stringify(input)}`).toEqual(
      roundly(await there.recall(ask)),
    );
  }
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
      await expectSame(here, there, { tags: ['even'] });
    }
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('keeps what memories hold that is long, rare, or written in other scripts', async () => {
    const { tenantId, here, there } = await held(20);
    const session = { type: 'episodic', session_id: 'Sitzung „drei“' } as const;
    const kept = [
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
    ] as const;
    await there.rememberBatch({ memories: [...kept] });
    const questions = ['Käfer im Garten', '甲虫', 'Жук', 'violin', 'who met the violin maker?'];
    await expectSame(here, there, {}, questions);
    await expectSame(here, there, { session_id: session.session_id }, questions);
    await expectSame(here, there, { tags: ['🎻', '"'] }, questions);
    await expectSame(here, there, { tags: ['n3'], session_id: 'nobody was here' }, questions);
    const { results } = await here.recall({ query: 'A violin under a key.' });
    expect(results[0]).toMatchObject({ key: 'ключ 🗝', tags: ['ä', '"', '\\', ',', '🎻'] });
    expect(await holding.isHeld(tenantId)).toBe(true);
  });

  it('is read anew once more memories went and came than there are', async () => {
    const { tenantId, here, there } = await held(100);
    const changeAll = () =>
      kit.engine.database.batch(tenantId, [
        sql`UPDATE memories SET importance = 1 - importance WHERE tenant_id = ${tenantId}::uuid`,
      ]);
    for (let round = 1; round <= 6; round += 1) {
      await changeAll();
      await expectSame(here, there);
    }
    expect(await holding.isHeld(tenantId)).toBe(true);
    await changeAll();
    expect(await holding.isHeld(tenantId)).toBe(false);
    await holding.untilHeld(tenantId);
    await expectSame(here, there);
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
    const change = (place: number, content: string) =>
      sql`UPDATE memories SET tags = ARRAY[${content}] WHERE tenant_id = ${tenantId}::uuid AND id = ${some[place]?.id}::uuid`;
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

  it('counts each recall as one use, also where many come at once', async () => {
    const { tenantId, here } = await held(30);
    const used = async () => (await here.status()).usage.operations_this_month;
    const before = await used();
    await Promise.all(Array.from({ length: 20 }, () => here.recall({ query: 'violin' })));
    expect((await used()) - before).toBe(20);
    expect(await holding.isHeld(tenantId)).toBe(true);
  });
});

describe('the room for memories that are held', () => {
  it('goes to who asked last; who does not fit, or room for none, is searched in the database', async () => {
    const small = watched(200_000);
    const fill = async (words: string) => {
      const { tenantId } = await kit.tenant();
      const memories = Array.from({ length: 200 }, (_, n) => ({ ...told(n), content: `${words} ${n}` }));
      await plain.agent(tenantId).rememberBatch({ memories });
      return tenantId;
    };
    const ask = async (tenantId: string) =>
      (await small.engine.agent(tenantId).recall({ query: 'violin', threshold: 0 })).results.length;
    const [large, first, second] = [
      await fill('violin '.repeat(300)),
      await fill('violin'),
      await fill('my violin'),
    ];
    for (let n = 0; n < 3; n += 1) expect(await ask(large)).toBe(10);
    await small.untilHeld(first);
    await small.untilHeld(second);
    expect(await small.isHeld(first)).toBe(false);
    expect(await small.isHeld(large)).toBe(false);
    for (const tenantId of [large, first, second]) expect(await ask(tenantId)).toBe(10);
  });
});
