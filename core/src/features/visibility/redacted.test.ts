import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Input } from '../../app/contract.ts';
import { startTestEngine, type TestEngine } from '../../testing/index.ts';
import { startReceiver } from '../webhooks/receiver.fixture.ts';
import { createSecretBox } from '../webhooks/secret-box.ts';

const CANARY = 'xyzzy-canary';
const NIL_ID = '00000000-0000-0000-0000-000000000000';

let kit: TestEngine;
beforeAll(async () => {
  const secrets = createSecretBox('secret of the test');
  kit = await startTestEngine({ webhooks: { secrets, allowPrivate: true } });
});
afterAll(() => kit.close());

async function meet() {
  const { tenantId, agent: as } = await kit.tenant();
  const agent = as();
  const human = as({ source: 'human', credentialId: randomUUID() });
  const { session_key: sessionKey } = await agent.sessionKey();
  const show = (settings: Input<'setVisibility'>) => agent.setVisibility(settings, { sessionKey });
  return { tenantId, agent, as, human, show };
}

describe('a redacted memory', () => {
  it('shows type and dates, and for all else what it shows of every memory', async () => {
    const { agent, human, show } = await meet();
    const stored = await agent.remember({
      ...{ type: 'working', content: CANARY, key: CANARY, tags: [CANARY], category: 'tools' },
      ...{ importance: 0.93, session_id: CANARY, occurred_at: '2026-02-01T09:30:00.000Z' },
    });
    await agent.update({ id: stored.memory.id, content: `${CANARY} again` });
    await show({ types: { working: 'redacted' } });
    const { id, created_at, updated_at } = (await agent.get({ id: stored.memory.id })).memory;
    const seen = {
      ...{ id, type: 'working', content: '[redacted]', category: null, key: null, tags: [], importance: 0.5 },
      ...{ occurred_at: '2026-02-01T09:30:00.000Z', valid_from: '2026-02-01T09:30:00.000Z' },
      ...{ created_at, updated_at, version: 1 },
      source: { kind: 'agent', credential_id: null },
    };
    expect((await human.get({ id })).memory).toEqual(seen);
    expect((await human.query({})).memories).toEqual([seen]);
    expect((await human.dashboard()).working).toEqual([seen]);
    expect((await human.export()).export.memories.working).toEqual([seen]);
    expect(JSON.stringify([await human.export(), await human.history({ id })])).not.toMatch(/canary|0\.93/);
    for (const filter of [{ importance_min: 0.9 }, { session_id: CANARY }, { category: 'tools' as const }]) {
      expect((await human.query(filter)).memories).toEqual([]);
    }
  });

  it.each([
    ['content', { content: 'mine' }],
    ['type', { type: 'semantic' }],
    ['category', { category: 'routine' }],
    ['tags', { tags: ['shown'] as string[] }],
    ['key', { key: 'mine' }],
  ] as const)('cannot be changed by its human in %s, on which a rule may hang', async (field, change) => {
    const { agent, human, show } = await meet();
    const { memory } = await agent.remember({ type: 'working', content: CANARY, tags: ['private'] });
    await show({ tags: { private: 'redacted' } });
    await expect(human.update({ id: memory.id, ...change, importance: 0.9 })).rejects.toMatchObject({
      code: 'FORBIDDEN',
      message: expect.stringContaining(field),
      details: [{ path: field }],
    });
    expect((await agent.get({ id: memory.id })).memory).toEqual(memory);
  });

  it('may become more or less important, be forgotten and restored, and tells nothing by that', async () => {
    const { agent, human, show } = await meet();
    const { memory } = await agent.remember({
      type: 'working',
      content: CANARY,
      key: 'plan',
      importance: 0.7,
    });
    await show({ types: { working: 'redacted' } });
    const { id } = memory;
    const same = await human.update({ id, importance: 0.7 });
    const other = await human.update({ id, importance: 0.2 });
    expect([same.outcome, other.outcome]).toEqual(['updated', 'updated']);
    expect(same.memory).toMatchObject({ content: '[redacted]', importance: 0.5, version: 1 });
    for (const ask of [
      () => human.update({ id, importance: 0.3 }, { ifMatch: 3 }),
      () => human.forget({ id }, { ifMatch: 3 }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'FORBIDDEN', details: [{ path: 'If-Match' }] });
    }
    await human.forget({ id });
    expect((await human.restore({ id })).memory).toMatchObject({ id, content: '[redacted]', key: null });
    await human.forget({ id });
    await agent.remember({ type: 'working', content: 'other', key: 'plan' });
    await expect(human.restore({ id })).rejects.toMatchObject({
      code: 'CONFLICT',
      message: 'Another active memory already has its key.',
    });
    expect((await agent.status()).counts.working).toBe(1);
  });

  it('stands in a boot preview as one line, as long whatever it says', async () => {
    const previews = [];
    for (const content of ['x', `${CANARY} `.repeat(2_000)]) {
      const { agent, human, show } = await meet();
      const tags = content === 'x' ? [] : [CANARY];
      await agent.remember({
        type: 'working',
        content,
        key: content.slice(0, 9).trim(),
        tags,
        importance: 0.9,
      });
      await agent.remember({ type: 'core', category: 'identity', content });
      await agent.createWipItem({ title: content.slice(0, 200) });
      await show({ default: 'redacted' });
      const { boot_config: _, sections, ...preview } = await human.previewBoot();
      // Of a redacted memory its id may be known.
      const told = JSON.stringify(sections).replaceAll(/"id":"[^"]+"/g, '');
      previews.push([preview, told, await human.boot()]);
    }
    expect(previews[1]).toEqual(previews[0]);
    expect(JSON.stringify(previews[0])).toContain('- [2026-03-01] [redacted]');
    expect(JSON.stringify(previews)).not.toMatch(/canary|more characters/);
  });

  it('is asked for in a pending change without what it says, in errors too', async () => {
    const { agent, human, show } = await meet();
    const { memory } = await agent.remember({ type: 'core', category: 'soul', content: `I fear ${CANARY}` });
    const { id } = memory;
    const { entry } = await agent.update({ id, content: `I love ${CANARY}` });
    await show({ types: { core: 'redacted' } });
    const failure = await human.update({ id, importance: 0.9 }).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'GUARDIAN_PROTECTED', details: { entry: { id: entry?.id } } });
    const refused = await human.forget({ id }).catch((error: unknown) => error);
    const seen = [
      await human.guardianQueue(),
      failure,
      refused,
      await human.stability(),
      await human.dashboard(),
    ];
    expect(JSON.stringify(seen)).not.toMatch(/canary|"soul"/);
  });
});

describe('a change to a hidden memory', () => {
  it('is decided by the human, who is told neither of which memory nor of what kind', async () => {
    const { agent, human, show } = await meet();
    const { memory } = await agent.remember({
      type: 'core',
      category: 'soul',
      content: CANARY,
      importance: 0.9,
    });
    const { entry } = await agent.update({ id: memory.id, content: `${CANARY}!`, tags: [CANARY] });
    await show({ categories: { soul: 'hidden' } });
    const { entries } = await human.guardianQueue();
    expect(entries).toMatchObject([{ id: entry?.id, memory_id: NIL_ID, status: 'cooling' }]);
    expect(entries[0]?.current).toEqual(entries[0]?.proposed);
    const decided = await human.approveChange({ id: entry?.id ?? '' });
    const later = await human.guardianEntry({ id: entry?.id ?? '' });
    expect(JSON.stringify([entries, decided, later])).not.toMatch(
      new RegExp(`canary|soul|0\\.9|${memory.id}`),
    );
    expect((await agent.get({ id: memory.id })).memory.content).toBe(`${CANARY}!`);
  });
});

describe('a human cannot get at what is withheld', () => {
  it('by taking back what hid it', async () => {
    const { agent, human, show } = await meet();
    const { memory } = await agent.remember({ type: 'episodic', content: CANARY });
    const redacted = await agent.remember({ type: 'episodic', content: CANARY });
    kit.clock.advance(60_000);
    const since = kit.clock().toISOString();
    await show({ tags: { private: 'hidden', vague: 'redacted' } });
    await agent.update({ id: memory.id, tags: ['private'] });
    await agent.update({ id: redacted.memory.id, tags: ['vague'] });
    expect((await human.undo({ source: 'agent', since })).changes).toMatchObject({ reverted: 0, skipped: 0 });
    expect(JSON.stringify(await human.export())).not.toContain(CANARY);
    // What was written since may still be archived, and says no more then.
    const { changes } = await human.undo({ source: 'agent', since: '2026-01-01' });
    expect(changes).toMatchObject({ archived: 1 });
    expect(JSON.stringify(await human.archived())).not.toContain(CANARY);
    expect((await agent.get({ id: memory.id })).memory.tags).toEqual(['private']);
  });

  it('by taking back only the change of one key to what it said while it was hidden', async () => {
    const { agent, as, human, show } = await meet();
    const credentialId = randomUUID();
    await show({ tags: { private: 'hidden' } });
    const { memory } = await agent.remember({ type: 'semantic', content: CANARY, tags: ['private'] });
    const { id } = memory;
    kit.clock.advance(60_000);
    await as({ source: 'agent', credentialId }).update({ id, content: 'clean' });
    await agent.update({ id, tags: [] });
    expect((await human.get({ id })).memory.content).toBe('clean');
    await human.undo({ source: 'agent', since: kit.clock().toISOString(), credential_id: credentialId });
    const seen = [await human.get({ id }), await human.history({ id }), await human.export()];
    expect(JSON.stringify(seen)).not.toContain(CANARY);
    expect((await human.history({ id })).versions).toHaveLength(1);
  });

  it('by repeating a call of the agent, or their own from before', async () => {
    const { agent, human, show } = await meet();
    const draft = { type: 'episodic' as const, content: 'said by both' };
    const agents = await agent.remember(draft, { idempotencyKey: 'one' });
    const own = await human.remember(draft, { idempotencyKey: 'one' });
    expect(own.memory.id).not.toBe(agents.memory.id);
    await agent.update({ id: own.memory.id, tags: ['private'], content: CANARY });
    await show({ tags: { private: 'hidden' } });
    const again = await human.remember(draft, { idempotencyKey: 'one' });
    expect(again.memory).toMatchObject({ id: own.memory.id, content: '[redacted]' });
  });

  it('by the key of a memory, taken or not', async () => {
    const { agent, human, show } = await meet();
    const taken = await agent.remember({ type: 'working', content: CANARY, key: 'taken', tags: ['private'] });
    const plan = await human.remember({ type: 'working', content: 'plan', key: 'plan' });
    await show({ tags: { private: 'hidden' } });
    const refusals = [];
    for (const key of ['taken', 'free']) {
      for (const call of [
        () => human.remember({ type: 'working', content: 'mine', key }),
        () => human.rememberBatch({ memories: [{ type: 'semantic', content: 'mine', key }] }),
        () => human.update({ id: plan.memory.id, key }),
        () => human.syncWorking({ content: 'mine', key }),
      ]) {
        const refused = await call().catch((error: Error) => error);
        expect(refused).toMatchObject({ code: 'FORBIDDEN' });
        refusals.push((refused as Error).message.replace(key, 'key'));
      }
    }
    expect(refusals.slice(0, 4)).toEqual(refusals.slice(4));
    expect((await agent.get({ id: taken.memory.id })).memory).toEqual(taken.memory);
    // What the human sees, they may still replace.
    expect((await human.remember({ type: 'working', content: 'new', key: 'plan' })).outcome).toBe('updated');
  });

  it('by an import of what it says, or under its key', async () => {
    const { agent, human, show } = await meet();
    const line = (content: string, key?: string) =>
      JSON.stringify([{ type: 'semantic', content, key, tags: ['private'] }]);
    await agent.import({ files: [{ name: 'a.json', content: line(CANARY, 'taken') }] });
    await kit.engine.background.run('jobs.work');
    await show({ tags: { private: 'hidden' } });
    const results = [];
    for (const content of [line(CANARY), line('never seen'), line('mine', 'taken'), line('mine', 'free')]) {
      const { job } = await human.import({ files: [{ name: 'b.json', content }] });
      await kit.engine.background.run('jobs.work');
      const { status, result, errors } = (await human.job({ id: job?.id ?? '' })).job;
      results.push(JSON.stringify([status, result, errors]).replace(/taken|free/g, 'key'));
    }
    expect(results[0]).toBe(results[1]);
    expect(results[2]).toBe(results[3]);
    expect((await agent.query({ key: 'taken' })).memories).toMatchObject([{ content: CANARY, version: 1 }]);
  });
});

describe('events', () => {
  it('tell a human nothing of hidden memories, little of redacted ones, and no number of either', async () => {
    const { tenantId, agent, human, show } = await meet();
    await show({ types: { working: 'hidden', episodic: 'redacted' }, categories: { soul: 'hidden' } });
    const start = await kit.engine.events.position(tenantId);
    await agent.remember({ type: 'working', content: CANARY });
    const vague = await agent.remember({ type: 'episodic', content: CANARY });
    const open = await agent.remember({ type: 'semantic', content: 'open' });
    const soul = await agent.remember({ type: 'core', category: 'soul', content: CANARY });
    const { entry } = await agent.update({ id: soul.memory.id, content: 'changed' });
    await agent.query({});
    await agent.export();
    if (!start) throw new TypeError('there is always a now');
    const heard = (await kit.engine.events.after(tenantId, start, 100)).map(({ forHuman }) => forHuman);
    expect(heard.flatMap((event) => (event ? [[event.type, event.data]] : []))).toEqual([
      ['memory.stored', { memory_id: vague.memory.id, type: 'episodic' }],
      ['memory.stored', { memory_id: open.memory.id, type: 'semantic', version: 1, outcome: 'created' }],
      ['guardian.queued', { entry_id: entry?.id }],
      ['memory.recalled', { kind: 'query' }],
      ['memory.exported', {}],
    ]);
    expect((await human.status()).counts).toEqual({ core: 0, working: 0, episodic: 1, semantic: 1 });
  });

  it('about hidden memories go to no endpoint, and into no delivery log', async () => {
    const { agent, human, show } = await meet();
    const receiver = await startReceiver();
    const { endpoint } = await human.createEventEndpoint({ url: receiver.url, events: ['memory.stored'] });
    await show({ types: { working: 'hidden', episodic: 'redacted' } });
    const hidden = await agent.remember({ type: 'working', content: CANARY });
    const vague = await agent.remember({ type: 'episodic', content: CANARY });
    const open = await agent.remember({ type: 'semantic', content: 'open' });
    const log = async () =>
      (await human.eventDeliveries({ id: endpoint.id })).deliveries.map(({ status }) => status);
    expect(await log()).toEqual(['pending', 'pending']);
    await kit.engine.background.run('events.deliver');
    expect(await log()).toEqual(['delivered', 'delivered']);
    const sent = receiver.received.map(({ body }) => JSON.parse(body).data);
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual({ memory_id: vague.memory.id, type: 'episodic' });
    expect(sent).toContainEqual({
      memory_id: open.memory.id,
      type: 'semantic',
      version: 1,
      outcome: 'created',
    });
    expect(JSON.stringify(sent)).not.toContain(hidden.memory.id);
    await human.deleteEventEndpoint({ id: endpoint.id });
    await receiver.close();
  });
});
