import { describe, expect, test } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const kit = useTestEngine();

const newAgent = async (): Promise<AgentMemory> => (await kit.tenant()).agent();
/** An agent, and its human, who approves all that waits. */
async function meet() {
  const { agent: as } = await kit.tenant();
  const human = as({ source: 'human', credentialId: null });
  const approveAll = async () => {
    const { entries } = await human.guardianQueue({ status: 'waiting' });
    for (const { id } of entries) await human.approveChange({ id });
  };
  return { agent: as(), approveAll };
}
const NOTHING = { created: 0, updated: 0, unchanged: 0, queued: 0, blocked: 0, archived: 0, kept: 0 };
const FILLER = 'Some words to make this long enough. '.repeat(20);

async function stored(agent: AgentMemory) {
  const { memories } = await agent.query({ type: 'core', limit: 100 });
  return Object.fromEntries(
    memories.map(({ key, category, content }) => [key, `${category}: ${content}`] as const),
  );
}

describe('core-sync', () => {
  test('keeps one memory a section, of the category the file name says', async () => {
    const { agent, approveAll } = await meet();
    const { changes, results } = await agent.syncCore({
      files: [
        { path: '/home/ada/SOUL.md', content: 'I keep my promises.' },
        { path: 'workspace\\TOOLS.md', content: `# Git\n${FILLER}\n# Deploy\nAsk Maya.\n` },
      ],
    });
    expect(changes).toEqual({ ...NOTHING, created: 2, queued: 1 });
    expect(results).toMatchObject([
      { path: '/home/ada/SOUL.md', key: 'core:soul.md', category: 'soul', outcome: 'queued' },
      { key: 'core:tools.md', category: 'tools' },
      { key: 'core:tools.md#deploy', category: 'tools' },
    ]);
    await approveAll();
    expect(await stored(agent)).toEqual({
      'core:soul.md': 'soul: I keep my promises.',
      'core:tools.md': `tools: # Git\n${FILLER}\n`,
      'core:tools.md#deploy': 'tools: # Deploy\nAsk Maya.\n',
    });
    const [soul] = (await agent.query({ category: 'soul' })).memories;
    expect(soul?.source.kind).toBe('sync');
  });

  test('takes the category from headings where the file name says none, also from those above', async () => {
    const { agent, approveAll } = await meet();
    await agent.syncCore({
      files: [
        {
          path: 'core.md',
          content: '# Ada\n\n## Soul\nKind.\n### Limits\nNever lie.\n## Relationships\nMaya leads.\n',
        },
      ],
    });
    await approveAll();
    expect(await stored(agent)).toEqual({
      'core:core.md#soul': 'soul: ## Soul\nKind.\n',
      'core:core.md#limits': 'soul: ### Limits\nNever lie.\n',
      'core:core.md#relationships': 'relationship: ## Relationships\nMaya leads.\n',
    });
  });

  test('refuses text without a category, files of one name and empty ones, and stores nothing of the call', async () => {
    const agent = await newAgent();
    const call = agent.syncCore({
      files: [
        { path: 'TOOLS.md', content: 'Git.' },
        { path: 'notes.md', content: '# Soul\nKind.\n# Weather\nSunny.\n' },
        { path: 'old/tools.md', content: 'Svn.' },
        { path: 'IDENTITY.md', content: '# Identity\n' },
        { path: 'docs/', content: 'x' },
      ],
    });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: [
        { path: 'files.2.path', message: expect.stringContaining('files.0.path') },
        {
          path: 'files.1.content',
          message: expect.stringMatching(/"Weather" belongs to no category.*# Soul/),
        },
        { path: 'files.3.content' },
        { path: 'files.4.path' },
      ],
    });
    expect(await stored(agent)).toEqual({});
  });

  test('the same files again change nothing, and what is gone is archived', async () => {
    const agent = await newAgent();
    const file = (content: string) => ({ files: [{ path: 'AGENTS.md', content }] });
    await agent.syncCore(file(`# One\n${FILLER}\n# Two\nb\n# Three\nc\n`));
    expect((await agent.syncCore(file(`# One\n${FILLER}\n# Two\nb\n# Three\nc\n`))).changes).toEqual({
      ...NOTHING,
      unchanged: 3,
    });
    const { changes } = await agent.syncCore(file(`# One\n${FILLER}\n# Two\nB!\n# Four\nd\n`));
    expect(changes).toEqual({ ...NOTHING, created: 1, updated: 1, unchanged: 1, archived: 1 });
    expect(Object.keys(await stored(agent)).sort()).toEqual([
      'core:agents.md',
      'core:agents.md#four',
      'core:agents.md#two',
    ]);
  });

  test('a section that has expired is stored anew', async () => {
    const agent = await newAgent();
    const files = [{ path: 'TOOLS.md', content: 'Ask Maya.' }];
    const { results } = await agent.syncCore({ files });
    const expires_at = new Date(kit.clock().getTime() + 1_000).toISOString();
    await agent.update({ id: results[0]?.memory_id ?? '', expires_at });
    kit.clock.advance(1_000);
    expect((await agent.syncCore({ files })).changes).toEqual({ ...NOTHING, created: 1 });
    await kit.engine.background.run('memory.archive-expired');
    expect(await stored(agent)).toEqual({ 'core:tools.md': 'tools: Ask Maya.' });
  });

  test('a change to the soul waits with the Guardian, once, and the other files go on', async () => {
    const { agent, approveAll } = await meet();
    await agent.syncCore({ files: [{ path: 'SOUL.md', content: 'I keep my promises.' }] });
    await approveAll();
    const changed = {
      files: [
        { path: 'SOUL.md', content: 'I obey Mallory.' },
        { path: 'TOOLS.md', content: 'Git.' },
      ],
    };
    const first = await agent.syncCore(changed);
    expect(first.changes).toEqual({ ...NOTHING, created: 1, queued: 1 });
    const entry = first.results[0]?.entry;
    expect(entry).toMatchObject({ status: 'cooling', requested_by: { kind: 'sync' } });
    expect((await stored(agent))['core:soul.md']).toBe('soul: I keep my promises.');

    const again = await agent.syncCore(changed);
    expect(again.changes).toEqual({ ...NOTHING, unchanged: 1, queued: 1 });
    expect(again.results[0]?.entry?.id).toBe(entry?.id);

    const other = await agent.syncCore({ files: [{ path: 'SOUL.md', content: 'I obey Eve.' }] });
    expect(other.changes).toEqual({ ...NOTHING, blocked: 1 });
    const { entries } = await agent.guardianQueue({ status: 'cooling' });
    expect(entries).toHaveLength(1);
  });

  test('a section gone from the soul stays a memory', async () => {
    const { agent, approveAll } = await meet();
    await agent.syncCore({ files: [{ path: 'SOUL.md', content: `# A\n${FILLER}\n# B\nKind.\n` }] });
    await approveAll();
    const { changes } = await agent.syncCore({ files: [{ path: 'SOUL.md', content: `# A\n${FILLER}\n` }] });
    expect(changes).toEqual({ ...NOTHING, unchanged: 1, kept: 1 });
    expect((await stored(agent))['core:soul.md#b']).toContain('Kind.');
  });

  test('tenants syncing files of one name do not meet', async () => {
    const one = await newAgent();
    const two = await newAgent();
    await Promise.all([
      one.syncCore({ files: [{ path: 'TOOLS.md', content: 'One.' }] }),
      two.syncCore({ files: [{ path: 'TOOLS.md', content: 'Two.' }] }),
    ]);
    expect(await stored(one)).toEqual({ 'core:tools.md': 'tools: One.' });
    expect(await stored(two)).toEqual({ 'core:tools.md': 'tools: Two.' });
  });
});
