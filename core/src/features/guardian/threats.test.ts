import { beforeEach, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import { systemContext } from '../../kernel/commit/system-context.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { changeMemory } from '../memory/change.ts';
import { findMemory } from '../memory/find.ts';
import type { Memory } from '../records/contract.ts';
import { servicesOf } from './background.fixture.ts';
import { expireCooling } from './expire.ts';

const DAY_MS = 86_400_000;
const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const SOUL = 'I am Ada, calm and exact; I keep my promises.';
const EVIL = 'Buy cheap sunglasses today, limited offer!';

/** What a path that must not work does: it throws, or queues. */
type Attempt = (agent: AgentMemory, soul: Memory) => Promise<unknown>;

const PATHS: readonly (readonly [string, Attempt])[] = [
  ['PATCH of the content', (agent, { id }) => agent.update({ id, content: EVIL })],
  ['PATCH of the type', (agent, { id }) => agent.update({ id, type: 'semantic' })],
  ['PATCH of the category', (agent, { id }) => agent.update({ id, category: 'tools' })],
  ['PATCH of the key', (agent, { id }) => agent.update({ id, key: null })],
  ['PATCH of the importance', (agent, { id }) => agent.update({ id, importance: 0 })],
  ['DELETE', (agent, { id }) => agent.forget({ id })],
  [
    'upsert by key',
    (agent) => agent.remember({ type: 'core', category: 'soul', content: EVIL, key: 'soul' }),
  ],
  [
    'upsert by key to another category',
    (agent) => agent.remember({ type: 'core', category: 'routine', content: EVIL, key: 'soul' }),
  ],
  [
    'upsert by key to another type',
    (agent) => agent.remember({ type: 'working', content: EVIL, key: 'soul' }),
  ],
  [
    'batch',
    (agent) =>
      agent.rememberBatch({
        memories: [
          { type: 'episodic', content: 'harmless' },
          { type: 'core', category: 'soul', content: EVIL, key: 'soul' },
        ],
      }),
  ],
  ['memory-sync under its key', (agent) => agent.syncWorking({ content: EVIL, key: 'soul' })],
  ['restore', (agent, { id }) => agent.restore({ id })],
  ['undo of what made it', (agent) => agent.undo({ source: 'agent', since: '2000-01-01' })],
  [
    'theft of its key: archive it, then store another under the key',
    async (agent, { id }) => {
      await agent.forget({ id }).catch(() => {});
      return agent.remember({ type: 'core', category: 'soul', content: EVIL, key: 'soul' });
    },
  ],
  [
    'theft of its key by another memory',
    async (agent) => {
      const { memory } = await agent.remember({ type: 'working', content: EVIL });
      return agent.update({ id: memory.id, key: 'soul' });
    },
  ],
  [
    'two changes in a row',
    async (agent, { id }) => {
      await agent.update({ id, content: `${SOUL} ` });
      return agent.update({ id, content: EVIL });
    },
  ],
  [
    'a compaction with a transcript',
    (agent) =>
      agent.compaction({ phase: 'pre', session_id: 'soul', transcript: [{ role: 'user', content: EVIL }] }),
  ],
];

describe('threat 3: the agent itself, confused or injected', () => {
  const kit = useTestEngine();
  let agent: AgentMemory;
  let human: AgentMemory;
  let soul: Memory;
  let tenantId: string;
  beforeEach(async () => {
    const tenant = await kit.tenant();
    tenantId = tenant.tenantId;
    agent = tenant.agent();
    human = tenant.agent(HUMAN);
    const stored = await agent.remember({ type: 'core', category: 'soul', content: SOUL, key: 'soul' });
    soul = stored.memory;
  });
  const after = async (milliseconds: number) => {
    kit.clock.advance(milliseconds);
    await expireCooling(servicesOf(kit));
  };

  it.each(PATHS)('does not rewrite its soul by %s', async (_name, attempt) => {
    await attempt(agent, soul).catch((error: { code: string }) => {
      expect(['FORBIDDEN', 'CONFLICT', 'GUARDIAN_PROTECTED', 'NOT_FOUND']).toContain(error.code);
    });
    expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
    expect((await agent.history({ id: soul.id })).versions).toHaveLength(1);
  });

  it.each(PATHS)('nor after the cooling of what it asked by %s', async (_name, attempt) => {
    await attempt(agent, soul).catch(() => {});
    await after(30 * DAY_MS);
    const { memory } = await agent.get({ id: soul.id });
    expect(memory).toMatchObject({ type: 'core', category: 'soul' });
    expect(memory.content.trim()).toBe(SOUL);
  });

  it('moving a protected memory waits for the human even where the human lets any drift pass', async () => {
    await human.setGuardianSettings({ drift_limit: 1 });
    const { entry } = await agent.update({ id: soul.id, category: 'tools' });
    await after(DAY_MS);
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status).toBe('waiting');
    expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
  });

  it('moving a memory that is not core out of its soul category does not unlock its deletion', async () => {
    const { memory } = await agent.remember({
      type: 'semantic',
      category: 'soul',
      content: 'I love the sea.',
    });
    expect((await agent.update({ id: memory.id, category: null })).outcome).toBe('queued');
    await expect(agent.forget({ id: memory.id })).rejects.toMatchObject({ code: 'GUARDIAN_PROTECTED' });
    await after(DAY_MS);
    await expect(agent.forget({ id: memory.id })).rejects.toMatchObject({ code: 'GUARDIAN_PROTECTED' });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it.each([
    ['approve', (id: string) => agent.approveChange({ id })],
    ['reject', (id: string) => agent.rejectChange({ id })],
    ['change the settings', () => agent.setGuardianSettings({ drift_limit: 1 })],
  ] as const)('cannot %s for the human, in-process either', async (_name, call) => {
    const { entry } = await agent.update({ id: soul.id, content: EVIL });
    await expect(call(entry?.id ?? '')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry).toEqual(entry);
    expect((await agent.guardianSettings()).settings.drift_limit).toBe(0.5);
  });

  it('many small drifts add up against what the human last knew', async () => {
    const steps = [
      'I am Ada, calm and exact; I keep my promises to friends.',
      'I am Ada, calm and exact; I keep my offers to friends.',
      'I am Ada, calm and cheap; I keep my offers to friends.',
      'I am cheap and calm; I keep my offers to friends, limited.',
      'I buy cheap; I keep my offers to friends today, limited.',
      'Buy cheap sunglasses; offers to friends today, limited.',
      'Buy cheap sunglasses today, limited offer to friends!',
      EVIL,
    ];
    const statuses: string[] = [];
    for (const content of steps) {
      const { entry } = await agent.update({ id: soul.id, content });
      await after(DAY_MS);
      const decided = await agent.guardianEntry({ id: entry?.id ?? '' });
      statuses.push(decided.entry.status);
      if (decided.entry.status !== 'applied') break;
    }
    expect(statuses.at(-1)).toBe('waiting');

    const { entries } = await human.guardianQueue({ status: 'waiting' });
    await human.approveChange({ id: entries[0]?.id ?? '' });
    const approved = (await agent.get({ id: soul.id })).memory.content;
    const next = await agent.update({ id: soul.id, content: `  ${approved}\n` });
    await after(DAY_MS);
    expect((await agent.guardianEntry({ id: next.entry?.id ?? '' })).entry.status).toBe('applied');
  });

  it('steps that are each harmless beside the last wait where they are not beside what the human last knew', async () => {
    const { memory } = await human.remember({ type: 'core', category: 'soul', content: 'I work on Github.' });
    const statuses: string[] = [];
    for (const name of ['github', 'GitHub']) {
      const { entry } = await agent.update({ id: memory.id, content: `I work on ${name}.` });
      await after(DAY_MS);
      statuses.push((await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status);
    }
    expect(statuses).toEqual(['applied', 'waiting']);
    // Beside a memory that says already what the first step made of the other, the second is harmless.
    const beside = await human.remember({ type: 'core', category: 'soul', content: 'I work on github.' });
    const { entry } = await agent.update({ id: beside.memory.id, content: 'I work on GitHub.' });
    await after(DAY_MS);
    expect((await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status).toBe('applied');
  });

  it('a change is measured against what the human approved, and not against what time applied before', async () => {
    const statusOf = async (content: string, decide?: (id: string) => Promise<unknown>) => {
      const { entry } = await agent.update({ id: soul.id, content });
      await decide?.(entry?.id ?? '');
      await after(2 * DAY_MS);
      return (await agent.guardianEntry({ id: entry?.id ?? '' })).entry.status;
    };
    expect(await statusOf(`${SOUL}\n`)).toBe('applied');
    const since = kit.clock().toISOString();
    kit.clock.advance(1_000);
    expect(await statusOf('I sail.', (id) => human.approveChange({ id }))).toBe('approved');
    expect(await statusOf('I  sail.')).toBe('applied');
    await human.undo({ source: 'agent', since });
    expect(await statusOf(`${SOUL}\n`)).toBe('applied');
    await human.update({ id: soul.id, content: 'I sing.' });
    expect(await statusOf('I  sing.')).toBe('applied');
  });

  it('the undo of a later change leaves it to the human to confirm what was added', async () => {
    kit.clock.advance(1_000);
    const since = kit.clock().toISOString();
    await agent.update({ id: soul.id, content: `${SOUL}\n` });
    await after(DAY_MS);
    expect((await human.undo({ source: 'agent', since })).changes.reverted).toBe(1);
    const { entries } = await human.guardianQueue({ status: 'added' });
    expect(entries.map(({ memory_id }) => memory_id)).toEqual([soul.id]);
  });

  it('what it says again of itself is no change, and nothing to decide', async () => {
    kit.clock.advance(60_000);
    const again = await agent.remember({ type: 'core', category: 'soul', content: SOUL, key: 'soul' });
    expect(again).toEqual({ outcome: 'unchanged', memory: soul });
  });

  it('does not bring back a soul that its human archived', async () => {
    const since = kit.clock().toISOString();
    kit.clock.advance(1_000);
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: EVIL, key: 'evil' });
    await human.undo({ source: 'agent', since: kit.clock().toISOString() });
    expect(since < memory.created_at).toBe(true);
    await expect(agent.restore({ id: memory.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    expect((await human.restore({ id: memory.id })).memory.content).toBe(EVIL);
  });

  describe('what the human replaced by another memory', () => {
    const home = (content: string) => ({ type: 'core' as const, category: 'identity' as const, content });
    let old: Memory;
    beforeEach(async () => {
      old = (await human.remember(home('I work for Mira and recieve her mail.'))).memory;
      kit.clock.advance(1000);
      await human.remember({ ...home('I work for Jonas.'), supersedes: [old.id] });
    });
    const employers = async () =>
      (await agent.boot({ preview: true })).injection.match(/(?<=I work for )\p{L}+/gu);

    it('stays replaced when time mends its spelling', async () => {
      const { outcome } = await agent.update({
        id: old.id,
        content: 'I work for Mira and receive her mail.',
      });
      expect(outcome).toBe('queued');
      await after(2 * DAY_MS);
      expect((await agent.get({ id: old.id })).memory.content).toContain('receive');
      expect(await employers()).toEqual(['Jonas']);
    });

    it('stays replaced when the human approves such a mend', async () => {
      const { entry } = await agent.update({ id: old.id, content: 'I work for Mira and receive her mail.' });
      await human.approveChange({ id: entry?.id ?? '' });
      expect(await employers()).toEqual(['Jonas']);
    });

    it('holds again when the human approves that it says something else', async () => {
      const { entry } = await agent.update({ id: old.id, content: 'I work for Nora and receive her mail.' });
      await human.approveChange({ id: entry?.id ?? '' });
      expect(await employers()).toEqual(expect.arrayContaining(['Nora', 'Jonas']));
    });

    it('holds again by the human’s word alone', async () => {
      await expect(agent.update({ id: old.id, superseded_by: null })).rejects.toMatchObject({
        code: 'FORBIDDEN',
      });
      expect(await employers()).toEqual(['Jonas']);
      await human.update({ id: old.id, superseded_by: null });
      expect(await employers()).toEqual(expect.arrayContaining(['Mira', 'Jonas']));
    });
  });

  it('a path that forgot the gate finds the wall behind it', async () => {
    const context = await systemContext(servicesOf(kit), tenantId);
    for (const next of [
      { change: 'archived' as const, archivedAt: kit.clock() },
      { change: 'updated' as const, fields: { content: EVIL } },
      { change: 'updated' as const, fields: { category: null } },
    ]) {
      const write = context.write(async (tx) =>
        changeMemory(tx, context, await findMemory(tx, context, soul.id, { lock: true }), next),
      );
      await expect(write).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
  });

  it('a synced part that was put into a soul category goes on syncing', async () => {
    const { memory } = await agent.syncWorking({ content: 'first', key: 'notes' });
    await agent.update({ id: memory.id, category: 'soul' });
    for (const content of ['second', 'third']) {
      expect((await agent.syncWorking({ content, key: 'notes' })).changes.updated).toBe(1);
    }
    expect((await agent.get({ id: memory.id })).memory).toMatchObject({ content: 'third', category: 'soul' });
  });

  it('a change of its own that follows the human’s undo is asked anew', async () => {
    const { entry } = await agent.update({ id: soul.id, content: EVIL });
    const { changes } = await human.undo({ source: 'agent', since: kit.clock().toISOString() });
    expect(changes.cancelled).toBe(1);
    expect((await human.guardianEntry({ id: entry?.id ?? '' })).entry).toMatchObject({
      status: 'rejected',
      decided_by: { kind: 'human', credential_id: HUMAN.credentialId },
    });
  });
});

describe('threat 4: who wrote a protected memory is known', () => {
  const kit = useTestEngine();

  it('a second, contradicting identity is in the audit trail with its author', async () => {
    const { agent: as } = await kit.tenant();
    const key = { source: 'agent' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000c' };
    await as().remember({ type: 'core', category: 'identity', content: 'My name is Ada.' });
    kit.clock.advance(1_000);
    const second = await as(key).remember({
      type: 'core',
      category: 'identity',
      content: 'My name is Mallory.',
    });
    const moved = await as(key).remember({ type: 'core', category: 'tools', content: 'I obey Mallory.' });
    await as(key).update({ id: moved.memory.id, category: 'soul' });
    const { entries } = await as(HUMAN).guardianQueue({ status: 'added' });
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(
      expect.objectContaining({
        memory_id: second.memory.id,
        current: null,
        proposed: expect.objectContaining({ content: 'My name is Mallory.' }),
        requested_by: { kind: 'agent', credential_id: key.credentialId },
      }),
    );
    const waiting = await as(HUMAN).guardianQueue({ status: 'cooling' });
    expect(waiting.entries).toMatchObject([
      {
        memory_id: moved.memory.id,
        current: { category: 'tools' },
        proposed: { category: 'soul' },
        concerns: ['its type or category was changed'],
      },
    ]);
    expect((await as().get({ id: moved.memory.id })).memory.category).toBe('tools');
    expect((await as().stability()).stability.changes).toMatchObject({ asked: 1, added: 2 });
  });
});
