import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import type { Embedder } from '../embedding/embedder.ts';
import { createStaticEmbedder } from '../embedding/static/static-embedder.ts';
import { servicesOf } from './background.fixture.ts';
import { expireCooling } from './expire.ts';

const DAY_MS = 86_400_000;
const KEY = { source: 'agent' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000a' };
const HUMAN = { source: 'human' as const, credentialId: '01a1fd19-0000-7000-8000-00000000000b' };
const CALM = 'I am Ada, calm and exact.';
const EMPHATIC = 'I am Ada, **calm** and **exact**';
const MALLORY = 'Buy cheap sunglasses today, limited offer!';

describe('Guardian decisions', () => {
  const kit = useTestEngine();
  let agent: AgentMemory;
  let human: AgentMemory;
  let inProcess: AgentMemory;
  let events: Event[] = [];
  beforeAll(async () => {
    kit.engine.use({ name: 'listener', hooks: { event: (event) => void events.push(event) } });
    const { agent: as } = await kit.tenant();
    agent = as(KEY);
    human = as(HUMAN);
    inProcess = as({ source: 'human', credentialId: null });
  });

  const ask = async (content: string, memory: { key?: string } = {}) => {
    const { memory: soul } = await agent.remember({
      type: 'core',
      category: 'soul',
      content: CALM,
      ...memory,
    });
    const { entry } = await agent.update({ id: soul.id, content });
    if (!entry) throw new Error('the change was not queued');
    events = [];
    return { soul, entry };
  };
  const expire = () => expireCooling(servicesOf(kit));
  const types = () => events.map(({ type }) => type);

  it('applies an approved change at once, under the name of whoever asked', async () => {
    const { soul, entry } = await ask(MALLORY);
    const answer = await human.approveChange({ id: entry.id, reason: 'we agreed on it' });
    expect(answer.entry).toEqual({
      ...entry,
      status: 'approved',
      decided_at: kit.clock().toISOString(),
      decided_by: { kind: 'human', credential_id: HUMAN.credentialId },
      reason: 'we agreed on it',
    });
    expect(await agent.guardianEntry({ id: entry.id })).toEqual(answer);
    const { memory } = await agent.get({ id: soul.id });
    expect(memory).toMatchObject({
      content: MALLORY,
      version: 2,
      source: { kind: 'agent', credential_id: KEY.credentialId },
    });
    const { versions } = await agent.history({ id: soul.id });
    expect(versions.map(({ content }) => content)).toEqual([MALLORY, CALM]);
    const { results } = await agent.recall({ query: 'cheap sunglasses', threshold: 0 });
    expect(results[0]?.id).toBe(soul.id);
    expect(types()).toEqual(expect.arrayContaining(['guardian.approved', 'memory.stored']));
    const decided = events.find(({ type }) => type === 'guardian.approved');
    expect(decided?.data).toEqual({ entry_id: entry.id, memory_id: soul.id });
    expect((await agent.update({ id: soul.id, content: CALM })).outcome).toBe('queued');
  });

  it('leaves the memory as it was when a change is rejected or withdrawn, and frees it for the next', async () => {
    for (const [decide, status, by] of [
      [human.rejectChange, 'rejected', HUMAN],
      [agent.withdrawChange, 'withdrawn', KEY],
    ] as const) {
      const { soul, entry } = await ask(MALLORY);
      const answer = await decide({ id: entry.id, reason: 'not me' });
      expect(answer.entry).toMatchObject({
        status,
        reason: 'not me',
        decided_by: { kind: by.source, credential_id: by.credentialId },
      });
      expect(types()).toEqual([`guardian.${status}`]);
      expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
      expect((await agent.update({ id: soul.id, content: EMPHATIC })).outcome).toBe('queued');
    }
  });

  it('only the agent withdraws', async () => {
    const { entry } = await ask(MALLORY);
    for (const one of [human, inProcess]) {
      await expect(one.withdrawChange({ id: entry.id })).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
  });

  it("answers another tenant's entry as one that does not exist", async () => {
    const { entry } = await ask(MALLORY);
    const stranger = (await kit.tenant()).agent(HUMAN);
    for (const id of [entry.id, '01a1fd19-0000-7000-8000-000000000000', 'nonsense']) {
      for (const call of [stranger.guardianEntry, stranger.approveChange, stranger.rejectChange]) {
        await expect(call({ id })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: 'There is no Guardian entry with this id.',
        });
      }
    }
    expect((await agent.guardianEntry({ id: entry.id })).entry).toEqual(entry);
  });

  it('applies a harmless change exactly when its cooling ends, not a millisecond earlier', async () => {
    const { soul, entry } = await ask(EMPHATIC);
    kit.clock.advance(DAY_MS - 1);
    await expire();
    expect((await agent.guardianEntry({ id: entry.id })).entry.status).toBe('cooling');
    kit.clock.advance(1);
    await expire();
    expect((await agent.guardianEntry({ id: entry.id })).entry).toMatchObject({
      status: 'applied',
      decided_at: entry.cooling_until,
      decided_by: null,
    });
    expect((await agent.get({ id: soul.id })).memory).toMatchObject({
      content: EMPHATIC,
      source: { kind: 'agent', credential_id: KEY.credentialId },
    });
    expect((await agent.recall({ query: 'exact Ada', threshold: 0 })).results[0]?.content).toBe(EMPHATIC);
  });

  it('leaves a change of meaning to the human after cooling; it still holds the memory', async () => {
    const { soul, entry } = await ask(MALLORY);
    kit.clock.advance(DAY_MS);
    await expire();
    expect((await agent.guardianEntry({ id: entry.id })).entry).toMatchObject({
      status: 'waiting',
      decided_at: null,
      baseline_drift: entry.drift,
    });
    expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
    await expect(agent.update({ id: soul.id, content: EMPHATIC })).rejects.toMatchObject({
      code: 'GUARDIAN_PROTECTED',
    });
    kit.clock.advance(365 * DAY_MS);
    await expire();
    expect((await agent.get({ id: soul.id })).memory).toEqual(soul);
    await human.approveChange({ id: entry.id });
    expect((await agent.get({ id: soul.id })).memory.content).toBe(MALLORY);
  });

  it('a change whose key was taken meanwhile stays pending, and says why', async () => {
    const { soul, entry } = await ask(EMPHATIC, { key: 'me' });
    await agent.withdrawChange({ id: entry.id });
    const asked = await agent.update({ id: soul.id, key: 'myself' });
    const thief = await agent.remember({ type: 'working', content: 'mine now', key: 'myself' });
    const id = asked.entry?.id ?? '';
    await expect(human.approveChange({ id })).rejects.toMatchObject({
      code: 'CONFLICT',
      details: { key: 'myself' },
    });
    expect((await agent.guardianEntry({ id })).entry.status).toBe('cooling');
    kit.clock.advance(DAY_MS);
    await expire();
    expect((await agent.guardianEntry({ id })).entry).toMatchObject({
      status: 'waiting',
      concerns: ['its key was changed'],
    });
    await agent.forget({ id: thief.memory.id });
    await human.approveChange({ id });
    expect((await agent.get({ id: soul.id })).memory.key).toBe('myself');
  });

  it('refuses a change of a memory that has expired meanwhile', async () => {
    const expires_at = new Date(kit.clock().getTime() + 1_000).toISOString();
    const { memory } = await human.remember({ type: 'core', category: 'soul', content: CALM, expires_at });
    const { entry } = await agent.update({ id: memory.id, content: MALLORY });
    kit.clock.advance(1_000);
    await kit.engine.background.run('memory.archive-expired');
    const refused = { code: 'CONFLICT', message: 'The memory of this change is archived.' };
    await expect(human.approveChange({ id: entry?.id ?? '' })).rejects.toMatchObject(refused);
  });

  it('applies a harmless change also while the embedder is away', async () => {
    const { soul, entry } = await ask(EMPHATIC);
    kit.clock.advance(DAY_MS);
    const away: Embedder = { ...createStaticEmbedder(), embed: () => Promise.reject(new Error('away')) };
    await expireCooling(servicesOf(kit, away));
    expect((await agent.guardianEntry({ id: entry.id })).entry.status).toBe('applied');
    expect((await agent.get({ id: soul.id })).memory.content).toBe(EMPHATIC);
  });

  it('lists entries of one status, page by page', async () => {
    const lister = (await kit.tenant()).agent;
    const asked: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const { memory } = await lister(KEY).remember({
        type: 'core',
        category: 'soul',
        content: `Trait ${n}`,
      });
      const { entry } = await lister(KEY).update({ id: memory.id, content: `Trait ${n}!` });
      asked.unshift(entry?.id ?? '');
    }
    const seen: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const page = await lister(HUMAN).guardianQueue({
        status: 'cooling',
        limit: 2,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.entries.map(({ id }) => id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(asked);
  });
});
