import { describe, expect, it } from 'vitest';
import type { Actor } from '../../kernel/context/call.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { bound, contentsOf } from './users.fixture.ts';

const kit = useTestEngine();

describe('an Idempotency-Key', () => {
  const draft = { type: 'semantic', content: 'Prefers tea.' } as const;
  const options = { idempotencyKey: 'k1' };

  it('that another user used is another key, with the same request or another', async () => {
    const { agent } = await kit.tenant();
    const first = await agent().remember({ ...draft, user_id: 'u1' }, options);
    for (const call of [
      () => agent().remember({ ...draft, user_id: 'u10' }, options),
      () => agent().remember(draft, options),
      () => agent(bound('u100')).remember(draft, options),
      () => agent(bound('U1')).remember({ ...draft, content: 'Prefers milk.' }, options),
    ]) {
      const { memory, outcome } = await call();
      expect(outcome).toBe('created');
      expect(memory.id).not.toBe(first.memory.id);
    }
    const again = await agent().remember({ ...draft, user_id: 'u1' }, options);
    expect(again.memory.id).toBe(first.memory.id);
  });

  it('that the agent used is another key for its human', async () => {
    const { agent } = await kit.tenant();
    const first = await agent().remember(draft, options);
    const human = agent({ source: 'human', credentialId: null });
    expect((await human.remember({ ...draft, content: 'Prefers milk.' }, options)).outcome).toBe('created');
    expect((await agent().remember(draft, options)).memory.id).toBe(first.memory.id);
  });

  it('of a user who was forgotten replays nothing', async () => {
    const agent = (await kit.tenant()).agent();
    const first = await agent.remember({ ...draft, user_id: 'u1' }, options);
    await agent.forgetUser({ user_id: 'u1' });
    const second = await agent.remember({ ...draft, user_id: 'u1' }, options);
    expect(second.memory.id).not.toBe(first.memory.id);
    expect(second.outcome).toBe('created');
  });
});

describe('an import for a user', () => {
  it('of an agent’s own export makes no core memories, exact as it may be', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'core', category: 'identity', content: 'I am Hal.' });
    await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
    const { export: document } = await agent.export();
    const files = [{ name: 'e.json', content: JSON.stringify(document) }];
    await agent.import({ files, user_id: 'u1' });
    await kit.engine.background.run('jobs.work');
    const { memories } = await agent.query({ user_id: 'u1', limit: 100 });
    expect(memories.filter(({ type, user_id }) => type === 'core' && user_id !== undefined)).toEqual([]);
    expect(memories.filter(({ user_id }) => user_id === 'u1').map(({ content }) => content)).toContain(
      'The desk opens at nine.',
    );
  });

  it('of another’s export leaves the other’s memories as they are', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory } = await agent.remember({ type: 'semantic', content: 'Ada has a cat.', user_id: 'u1' });
    const { export: document } = await agent.export({ user_id: 'u1' });
    const changed = JSON.stringify(document).replaceAll('a cat', 'a dog');
    await agent.import({ files: [{ name: 'e.json', content: changed }], user_id: 'u10' });
    await kit.engine.background.run('jobs.work');
    expect((await agent.get({ id: memory.id, user_id: 'u1' })).memory.content).toBe('Ada has a cat.');
    expect(contentsOf((await agent.query({ user_id: 'u10' })).memories)).toEqual(['Ada has a dog.']);
    expect((await agent.query({})).memories).toEqual([]);
  });
});

it('a recall and a list tell the memory of a user once, and one of the agent’s own with the same id once', async () => {
  const agent = (await kit.tenant()).agent();
  const { memory } = await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
  const { export: document } = await agent.export();
  await agent.import({ files: [{ name: 'e.json', content: JSON.stringify(document) }], user_id: 'u1' });
  await kit.engine.background.run('jobs.work');
  await agent.update({ id: memory.id, content: 'The desk opens at ten for them.', user_id: 'u1' });
  const told = async (user_id: string) => {
    const { results } = await agent.recall({ query: 'when does the desk open?', threshold: 0, user_id });
    return results.map((one) => `${one.user_id ?? 'own'}: ${one.content}`).sort();
  };
  const both = ['own: The desk opens at nine.', 'u1: The desk opens at ten for them.'];
  for (const user_id of ['u1', '*']) {
    expect(await told(user_id), user_id).toEqual(both);
    const { memories } = await agent.query({ user_id });
    expect(memories.map((one) => `${one.user_id ?? 'own'}: ${one.content}`).sort()).toEqual(both);
  }
});

describe('user ids that look alike', () => {
  const LONGEST = 'a'.repeat(128);

  it.each([
    ['composed and decomposed letters', 'Ren\u00e9e', 'Rene\u0301e'],
    ['outer spaces', 'ada', '  ada '],
    ['a no-break space within', 'ada l', 'ada\u00a0l'],
    ['an ideographic space within', 'ada l', 'ada\u3000l'],
  ])('are one user by the rule of keys: %s', async (_, one, other) => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'semantic', content: 'Likes tea.', user_id: one });
    expect((await agent.query({ user_id: other })).memories).toHaveLength(1);
    expect((await agent.users()).users.map(({ id }) => id)).toEqual([one]);
    await agent.forgetUser({ user_id: other });
    expect((await agent.query({ user_id: one })).memories).toEqual([]);
  });

  it.each([
    ['another case', 'ada', 'Ada'],
    ['a letter of another script', 'ada', '\u0430da'],
    ['full width', 'ada', '\uff41\uff44\uff41'],
    ['a ligature', 'file', '\ufb01le'],
    ['a sharp s', 'strasse', 'stra\u00dfe'],
    ['two spaces within', 'a b', 'a  b'],
    ['a longer number', 'user-1', 'user-10'],
    ['a wildcard', 'u_1', 'ux1'],
    ['another wildcard', 'u%', 'u1'],
    ['a path', 'u1', '../u1'],
    ['the longest id and one shorter', LONGEST, LONGEST.slice(1)],
  ])('are two users where they are no canonical equals: %s', async (_, one, other) => {
    const agent = (await kit.tenant()).agent();
    await agent.remember({ type: 'semantic', content: 'Likes tea.', user_id: one });
    expect((await agent.query({ user_id: other })).memories).toEqual([]);
    await agent.remember({ type: 'semantic', content: 'Likes milk.', user_id: other });
    expect(contentsOf((await agent.query({ user_id: one })).memories)).toEqual(['Likes tea.']);
    await agent.forgetUser({ user_id: one });
    expect(contentsOf((await agent.query({ user_id: other })).memories)).toEqual(['Likes milk.']);
  });

  it.each([
    ['empty', ''],
    ['blank', ' \u00a0\u3000'],
    ['129 characters', 'a'.repeat(129)],
    ['129 characters once composed', '\u0958'.repeat(65)],
    ['a lone surrogate', 'u\ud800'],
    ['another', '\udfffu'],
    ['NUL', 'u\u00001'],
    ['a line break', 'u\n1'],
    ['a zero-width space', 'u\u200b1'],
    ['a zero-width joiner', 'u\u200d1'],
    ['a byte order mark', '\ufeffu1'],
    ['a right-to-left override', 'u\u202e1'],
    ['a right-to-left mark', 'u\u200f1'],
    ['an isolate', 'u\u20681'],
    ['a tag character', 'u\u{e0041}'],
    ['a variation selector', 'u\ufe0f1'],
    ['a soft hyphen', 'u\u00ad1'],
    ['a Hangul filler', 'u\u3164'],
    ['a braille blank', 'u\u2800'],
    ['a number', 1],
    ['a list', ['u1']],
    ['null', null],
  ])('are refused, and nothing is made of them: %s', async (_, user_id) => {
    const { tenantId, agent } = await kit.tenant();
    const human: Actor = { source: 'human', credentialId: null };
    const call = (name: Parameters<typeof kit.engine.call>[0], input: object, actor = human) =>
      kit.engine.call(name, { tenantId, actor }, { ...input, user_id });
    for (const refused of [
      () => call('remember', { type: 'working', content: 'x' }),
      () => call('recall', { query: 'x' }),
      () => call('query', {}),
      () => call('export', {}),
      () => call('compaction', {}),
      () => call('forgetUser', {}),
      () => call('createApiKey', { name: 'k' }),
    ]) {
      await expect(refused()).rejects.toMatchObject({
        code: 'VALIDATION_ERROR',
        details: expect.arrayContaining([expect.objectContaining({ path: 'user_id' })]),
      });
    }
    expect((await agent().users()).users).toEqual([]);
  });
});
