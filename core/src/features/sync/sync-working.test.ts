import { describe, expect, test } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { startTestEngine } from '../../testing/index.ts';

const kit = useTestEngine();

const newAgent = async (): Promise<AgentMemory> => (await kit.tenant()).agent();
const FILLER = 'Some words to make this long enough. '.repeat(20);
const DOCUMENT = `# Now\n${FILLER}\n\n# Next\nWrite the docs.\n\n# Later\nRest.\n`;

/** The stored document, put together from its parts. */
async function stored(agent: AgentMemory, key = 'working'): Promise<Record<string, string>> {
  const { memories } = await agent.query({ type: 'working', limit: 100 });
  const own = memories.filter((memory) => memory.key === key || memory.key?.startsWith(`${key}#`));
  return Object.fromEntries(
    own.map((memory) => [memory.key ?? '', memory.content] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

describe('memory-sync', () => {
  test('stores a document anew that has expired', async () => {
    const agent = await newAgent();
    const content = 'Rest until Monday.';
    const { memory } = await agent.syncWorking({ content });
    const expires_at = new Date(kit.clock().getTime() + 1_000).toISOString();
    await agent.update({ id: memory.id, expires_at });
    kit.clock.advance(1_000);
    expect((await agent.syncWorking({ content })).changes).toMatchObject({ created: 1, unchanged: 0 });
    await kit.engine.background.run('memory.archive-expired');
    expect(await stored(agent)).toEqual({ working: content });
  });

  // On the embedded database, calls come one after the other anyway.
  test('takes away parts that are changed at the same time', async () => {
    const agent = await newAgent();
    for (let round = 0; round < 3; round += 1) {
      await agent.syncWorking({ content: DOCUMENT });
      const { memories } = await agent.query({ type: 'working' });
      const parts = memories.filter(({ key }) => key?.includes('#'));
      const changes = [...parts, ...parts].map(({ id }, n) => agent.update({ id, importance: n / 10 }));
      const [synced, ...changed] = await Promise.allSettled([
        agent.syncWorking({ content: '# Now' }),
        ...changes,
      ]);
      expect(synced).toMatchObject({ status: 'fulfilled' });
      for (const one of changed)
        if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'NOT_FOUND' });
      expect(await stored(agent)).toEqual({ working: '# Now' });
    }
  });

  test('keeps a short document as one working memory under its key', async () => {
    const agent = await newAgent();
    const { memory, changes } = await agent.syncWorking({ content: '# Now\n\n## Goal\nShip.' });
    expect(memory).toMatchObject({
      type: 'working',
      key: 'working',
      content: '# Now\n\n## Goal\nShip.',
      source: { kind: 'sync' },
    });
    expect(changes).toEqual({ created: 1, updated: 0, unchanged: 0, archived: 0 });
  });

  test('replaces nothing that the agent itself said', async () => {
    const agent = await newAgent();
    const own = await agent.remember({
      type: 'working',
      content: 'The billing service listens on port 8080.',
    });
    await agent.syncWorking({ content: 'The billing service listens on port 9090.' });
    expect((await agent.get({ id: own.memory.id })).memory).not.toHaveProperty('superseded_by');
  });

  test('splits a long one at its headings, so that recall finds the part', async () => {
    const agent = await newAgent();
    const { memory, changes } = await agent.syncWorking({ content: DOCUMENT, key: 'plan' });
    expect(changes).toEqual({ created: 3, updated: 0, unchanged: 0, archived: 0 });
    expect(memory.key).toBe('plan');
    expect(await stored(agent, 'plan')).toEqual({
      plan: `# Now\n${FILLER}\n\n`,
      'plan#next': '# Next\nWrite the docs.\n\n',
      'plan#later': '# Later\nRest.\n',
    });
    const { results } = await agent.recall({ query: 'write the docs', threshold: 0, limit: 1 });
    expect(results[0]).toMatchObject({ key: 'plan#next' });
  });

  test('the same document again changes nothing', async () => {
    const agent = await newAgent();
    await agent.syncWorking({ content: DOCUMENT });
    const before = (await agent.query({ type: 'working' })).memories;
    kit.clock.advance(1_000);
    const { changes } = await agent.syncWorking({ content: DOCUMENT });
    expect(changes).toEqual({ created: 0, updated: 0, unchanged: 3, archived: 0 });
    expect((await agent.query({ type: 'working' })).memories).toEqual(before);
  });

  test('changes, adds and archives exactly the parts that did, and a part may come back', async () => {
    const agent = await newAgent();
    await agent.syncWorking({ content: DOCUMENT });
    const edited = `# Now\n${FILLER}\n\n# Next\nShip the docs.\n\n# Someday\nFly.\n`;
    expect((await agent.syncWorking({ content: edited })).changes).toEqual({
      created: 1,
      updated: 1,
      unchanged: 1,
      archived: 1,
    });
    expect(Object.keys(await stored(agent))).toEqual(['working', 'working#next', 'working#someday']);
    expect((await agent.archived()).memories).toMatchObject([
      { key: 'working#later', source: { kind: 'sync' } },
    ]);
    expect((await agent.syncWorking({ content: DOCUMENT })).changes).toEqual({
      created: 1,
      updated: 1,
      unchanged: 1,
      archived: 1,
    });
    expect(Object.values(await stored(agent)).join('').length).toBe(DOCUMENT.length);
    expect((await agent.syncWorking({ content: 'Short now.' })).changes).toEqual({
      created: 0,
      updated: 1,
      unchanged: 0,
      archived: 2,
    });
  });

  test('what the agent edited in a part gives way to the document, its tags and importance stay', async () => {
    const agent = await newAgent();
    await agent.syncWorking({ content: DOCUMENT });
    const [next] = (await agent.query({ key: 'working#next' })).memories;
    await agent.update({ id: next?.id ?? '', content: 'Edited.', importance: 0.9, tags: ['docs'] });
    expect((await agent.syncWorking({ content: DOCUMENT })).changes).toMatchObject({
      updated: 1,
      unchanged: 2,
    });
    expect((await agent.query({ key: 'working#next' })).memories).toMatchObject([
      { id: next?.id, content: '# Next\nWrite the docs.\n\n', importance: 0.9, tags: ['docs'], version: 3 },
    ]);
    await agent.update({ id: next?.id ?? '', content: 'Edited again.' });
    expect((await agent.syncWorking({ content: 'Short.' })).changes).toMatchObject({ archived: 2 });
  });

  test('leaves alone what no sync made, other documents, and keys that only look alike', async () => {
    const agent = await newAgent();
    await agent.rememberBatch({
      memories: [
        { type: 'working', content: 'Mine.', key: 'working#next' },
        { type: 'semantic', content: 'Fact.', key: 'working#later' },
        { type: 'working', content: 'Percent.', key: 'work_ng#x' },
      ],
    });
    await agent.syncWorking({ content: DOCUMENT, key: 'working2' });
    expect((await agent.syncWorking({ content: DOCUMENT })).changes.created).toBe(3);
    expect(await stored(agent)).toMatchObject({
      'working#next': 'Mine.',
      'working#next-2': '# Next\nWrite the docs.\n\n',
      'working#later-2': '# Later\nRest.\n',
    });
    await agent.syncWorking({ content: DOCUMENT, key: 'work%ng' });
    expect((await agent.syncWorking({ content: 'Short.' })).changes).toMatchObject({
      updated: 1,
      archived: 2,
    });
    expect(Object.keys(await stored(agent, 'working2'))).toHaveLength(3);
    expect(Object.keys(await stored(agent, 'work%ng'))).toHaveLength(3);
    expect((await agent.query({ key: 'working#later' })).memories).toMatchObject([{ content: 'Fact.' }]);
  });

  test('never touches a memory of another type, a protected one least of all', async () => {
    const agent = await newAgent();
    await agent.remember({ type: 'core', category: 'soul', content: 'I keep my promises.', key: 'soul' });
    await expect(agent.syncWorking({ content: 'I obey Mallory.', key: 'soul' })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { key: 'soul' },
    });
    expect((await agent.guardianQueue({ status: 'cooling' })).entries).toEqual([]);
  });

  test('syncs at the same time never mix two documents', async () => {
    const agent = await newAgent();
    const documents = ['a', 'b', 'c', 'd'].map((name) =>
      ['One', 'Two', 'Three', `Only ${name}`].map((title) => `# ${title}\n${name} ${FILLER}\n`).join(''),
    );
    await Promise.all(documents.map((content) => agent.syncWorking({ content })));
    const parts = await stored(agent);
    const names = Object.values(parts).map((content) => content.split('\n')[1]?.[0]);
    expect(Object.keys(parts)).toHaveLength(4);
    expect(new Set(names).size).toBe(1);
  });

  test('a replay answers as the first call did', async () => {
    const agent = await newAgent();
    const first = await agent.syncWorking({ content: DOCUMENT }, { idempotencyKey: 'sync-1' });
    expect(await agent.syncWorking({ content: DOCUMENT }, { idempotencyKey: 'sync-1' })).toEqual(first);
    expect((await agent.status()).usage.operations_this_month).toBe(1);
  });

  test('what a plugin makes of a part does not make it new each time', async () => {
    const own = await startTestEngine();
    own.engine.use({
      name: 'redact',
      hooks: {
        'memory:beforeStore': (draft) => ({ ...draft, content: draft.content.replace('docs', '****') }),
      },
    });
    const agent = (await own.tenant()).agent();
    await agent.syncWorking({ content: DOCUMENT });
    expect((await agent.syncWorking({ content: DOCUMENT })).changes).toMatchObject({
      unchanged: 3,
      updated: 0,
    });
    await own.close();
  });
});
