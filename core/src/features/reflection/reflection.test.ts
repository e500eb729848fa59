import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../app/contract.ts';
import type { Event } from '../../kernel/context/hooks.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { rememberUncompared } from './uncompared.fixture.ts';

const DAY_MS = 86_400_000;

const kit = useTestEngine();
const heard: Event[] = [];
beforeAll(async () => {
  const event = (happened: Event) => {
    if (happened.type === 'memory.compacted') heard.push(happened);
  };
  kit.engine.use({ name: 'listener', hooks: { event } });
});
afterEach(() => {
  heard.length = 0;
});

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 0, day, hour)).toISOString();
const SAID = [
  'Maya: The Orchard team moved its pipelines to Buildkite in December.',
  'Maya: The rollback script lives in ops/rollback.sh.',
  'Ben: My daughter Ines starts school in Porto in September.',
  'Ben: Release 2.4 went out without a rollback.',
];

async function tell(agent: AgentMemory, session = 'monday', day = 5): Promise<string[]> {
  const { memories } = await agent.rememberBatch({
    memories: SAID.map((content, index) => ({
      type: 'episodic',
      content,
      session_id: session,
      occurred_at: at(day, index),
      tags: index === 0 ? ['ci'] : [],
      importance: index === 1 ? 0.9 : 0.5,
    })),
  });
  return memories.map(({ id }) => id);
}

async function reflect(agent: AgentMemory, input: Parameters<AgentMemory['reflect']>[0] = {}) {
  const { job } = await agent.reflect(input);
  await kit.engine.background.run('jobs.work');
  return (await agent.job({ id: job.id })).job;
}

const knowledge = async (agent: AgentMemory) =>
  (await agent.query({ type: 'semantic', limit: 100 })).memories;
const NOTHING = { episodes: 0, digests: 0, merged: 0, superseded: 0 };

describe('a digest', () => {
  it('quotes old episodes, links them, and leaves them as they are', async () => {
    const agent = (await kit.tenant()).agent();
    const ids = await tell(agent);
    const job = await reflect(agent);
    expect(job).toMatchObject({
      kind: 'reflect',
      status: 'done',
      progress: { done: 4, total: 4 },
      result: { episodes: 4, digests: 1, merged: 0, superseded: 0 },
    });
    const [digest] = await knowledge(agent);
    expect(digest).toMatchObject({
      type: 'semantic',
      source: { kind: 'reflection' },
      occurred_at: at(5, 3),
      importance: 0.9,
      tags: ['ci'],
    });
    expect(digest?.derived_from).toEqual(ids);
    expect(digest?.content).toMatch(/^4 episodes of 2026-01-05: Maya: “/);
    for (const said of SAID) expect(digest?.content).toContain(said.split(': ')[1]);
    expect((await agent.status()).counts).toMatchObject({ episodic: 4, semantic: 1 });
    expect(heard).toMatchObject([{ data: { memory_id: digest?.id, sources: 4, archived: false } }]);
    expect(JSON.stringify(heard)).not.toContain('Buildkite');
  });

  it('keeps sentences of different episodes apart', async () => {
    const agent = (await kit.tenant()).agent();
    const said = [
      'The deploy key of the shop expires in March',
      'Invoices are numbered by the warehouse in Graz',
      'The staging database is restored every Sunday',
    ];
    await agent.rememberBatch({
      memories: said.map((content, index) => ({
        type: 'episodic' as const,
        content,
        session_id: 'apart',
        occurred_at: at(5, index),
      })),
    });
    await reflect(agent);
    const [digest] = await knowledge(agent);
    expect(digest?.content).toBe(
      `3 episodes of 2026-01-05: ${said.map((sentence) => `“${sentence}”`).join(' ')}`,
    );
  });

  it('is made once of the same episodes, however often', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent);
    await reflect(agent);
    expect((await reflect(agent)).result).toEqual(NOTHING);
    await tell(agent, 'tuesday', 6);
    expect((await reflect(agent)).result).toMatchObject({ episodes: 4, digests: 1 });
    expect(await knowledge(agent)).toHaveLength(2);
  });

  it('waits until a whole session is old enough, and for three episodes', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent, 'long', 5);
    await agent.remember({ type: 'episodic', content: 'and on', session_id: 'long', occurred_at: at(56) });
    await agent.remember({ type: 'episodic', content: 'One thing happened.', occurred_at: at(1) });
    expect((await reflect(agent)).result).toEqual(NOTHING);
    expect((await reflect(agent, { older_than_days: 3 })).result).toMatchObject({ episodes: 5, digests: 1 });
  });

  it('is of one week where there is no session', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.rememberBatch({
      memories: [5, 6, 7, 12, 13, 14].map((day) => ({
        type: 'episodic',
        content: `On day ${day} the deploy of the shop took ${day} minutes.`,
        occurred_at: at(day),
      })),
    });
    await reflect(agent);
    const contents = (await knowledge(agent)).map(({ content }) => content);
    expect(contents).toHaveLength(2);
    expect(contents[0]).toContain('3 episodes of 2026-01-12 to 2026-01-14');
  });

  it('splits what is long by topic', async () => {
    const agent = (await kit.tenant()).agent();
    await agent.rememberBatch({
      memories: Array.from({ length: 60 }, (_, index) => ({
        type: 'episodic' as const,
        content:
          index % 2 === 0
            ? `The gardener planted roses and tulips in bed ${index}.`
            : `The database migration ${index} added an index to the invoices table.`,
        session_id: 'long',
        occurred_at: at(5, index / 60),
      })),
    });
    expect((await reflect(agent)).result).toMatchObject({ episodes: 60 });
    const contents = (await knowledge(agent)).map(({ content }) => content);
    expect(contents.length).toBeLessThanOrEqual(6);
    for (const content of contents) {
      expect(content.includes('gardener') && content.includes('migration')).toBe(false);
      expect(content.length).toBeLessThanOrEqual(600);
    }
  });

  it('archives its episodes only where that is asked, and recall then finds it', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent);
    const query = { query: 'where does the rollback script live?' };
    await reflect(agent, { archive_sources: true });
    expect((await agent.status()).counts).toMatchObject({ episodic: 0, semantic: 1 });
    expect((await agent.recall(query)).results[0]).toMatchObject({ type: 'semantic' });
    expect((await agent.archived()).memories).toHaveLength(4);
    expect(heard).toMatchObject([{ data: { archived: true } }]);
  });

  it('does not stand in the way of its episodes in recall', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent);
    const query = { query: 'where does the rollback script live?', threshold: 0 };
    const before = (await agent.recall(query)).results.map(({ id }) => id);
    await reflect(agent);
    expect((await agent.recall(query)).results.map(({ id }) => id)).toEqual(before);
    expect((await agent.recall({ ...query, types: ['semantic'] })).results).toHaveLength(1);
  });

  it('goes with an episode that is forgotten or changed, and is made anew of the others', async () => {
    const agent = (await kit.tenant()).agent();
    const [first = ''] = await tell(agent);
    await reflect(agent);
    await agent.forget({ id: first });
    expect(await knowledge(agent)).toEqual([]);
    await reflect(agent);
    const [digest] = await knowledge(agent);
    expect(digest?.content).toContain('rollback.sh');
    expect(digest?.content).not.toContain('Buildkite');
    await agent.update({
      id: digest?.derived_from?.[0] ?? '',
      content: 'Maya: It lives in ops/undo.sh now.',
    });
    expect(await knowledge(agent)).toEqual([]);
  });

  it('holds nothing that has expired, nor what will', async () => {
    const agent = (await kit.tenant()).agent();
    const end = new Date(kit.clock().getTime() + DAY_MS).toISOString();
    const { memory } = await agent.remember({
      ...{ type: 'episodic', content: 'Ben: The code of the cellar door is 4711.', session_id: 'monday' },
      ...{ occurred_at: at(5, 9), expires_at: end },
    });
    await tell(agent);
    expect((await reflect(agent, { archive_sources: true })).result).toMatchObject({ episodes: 4 });
    expect((await agent.get({ id: memory.id })).memory.content).toContain('4711');
    await tell(agent, 'monday', 6);
    kit.clock.advance(2 * DAY_MS);
    expect((await reflect(agent)).result).toMatchObject({ episodes: 4 });
    expect(JSON.stringify(await agent.query({ limit: 100 }))).not.toContain('4711');
  });

  it('is as hidden from the human as its episodes', async () => {
    const { agent } = await kit.tenant();
    await tell(agent());
    await reflect(agent());
    const human = agent({ source: 'human', credentialId: null });
    expect(await knowledge(human)).toHaveLength(1);
    const sessionKey = (await agent().sessionKey()).session_key;
    await agent().setVisibility({ types: { episodic: 'hidden' } }, { sessionKey });
    expect(await knowledge(human)).toHaveLength(0);
    expect(JSON.stringify(await human.export())).not.toContain('Buildkite');
    await agent().setVisibility({ types: {}, tags: { ci: 'redacted' } }, { sessionKey });
    expect((await knowledge(human))[0]?.content).toBe('[redacted]');
    expect(JSON.stringify(await human.dashboard())).not.toContain('4 episodes of');
  });
});

describe('copies', () => {
  it('are archived for the older memory, which takes over their tags, and can be restored', async () => {
    const agent = (await kit.tenant()).agent();
    const store = async (content: string, extra: object = {}) =>
      (await rememberUncompared(agent, { type: 'semantic', content, ...extra })).id;
    const first = await store('Deploys are frozen on Fridays.', { tags: ['ops'] });
    kit.clock.advance(1);
    const copy = await store('The deploys are frozen on Fridays', { tags: ['rules'], importance: 0.8 });
    const keyed = await store('Deploys are frozen on fridays!', { key: 'freeze' });
    const other = await store('Deploys are frozen on Thursdays.');
    expect((await reflect(agent)).result).toMatchObject({ merged: 1 });
    expect((await knowledge(agent)).map(({ id }) => id).sort()).toEqual([first, keyed, other].sort());
    expect((await agent.get({ id: first })).memory).toMatchObject({
      tags: ['ops', 'rules'],
      importance: 0.8,
    });
    expect((await agent.archived()).memories).toMatchObject([{ id: copy, merged_into: first }]);
    expect((await agent.restore({ id: copy })).memory.merged_into).toBeUndefined();
    expect((await reflect(agent)).result).toMatchObject({ merged: 0 });
  });

  it('stay where one memory could not have the tags of both', async () => {
    const agent = (await kit.tenant()).agent();
    const tags = (name: string) => Array.from({ length: 20 }, (_, n) => `${name}-${n}`);
    const stored = [];
    for (const name of ['kitchen', 'cellar']) {
      kit.clock.advance(1);
      const content = 'Deploys are frozen on Fridays.';
      stored.push(await rememberUncompared(agent, { type: 'semantic', content, tags: tags(name) }));
    }
    expect((await reflect(agent)).result).toMatchObject({ merged: 0 });
    for (const { id, tags } of stored) expect((await agent.get({ id })).memory.tags).toEqual(tags);
  });

  it('stay where what one of them superseded would hold again', async () => {
    const agent = (await kit.tenant()).agent();
    const { memory: door } = await agent.remember({ type: 'semantic', content: 'The cellar door is green.' });
    for (const more of [{}, { supersedes: [door.id] }]) {
      kit.clock.advance(1);
      await agent.remember({ type: 'semantic', content: 'Deploys are frozen on Fridays.', ...more });
    }
    expect((await reflect(agent)).result).toEqual(NOTHING);
    expect((await knowledge(agent)).map(({ id }) => id)).not.toContain(door.id);
  });

  it.each([
    ['other metadata', { metadata: { from: 'mail' } }, {}],
    ['an end of its own', { expires_at: '2030-01-01T00:00:00Z' }, {}],
    ['a beginning of its own', {}, { valid_from: '2026-01-02T00:00:00Z' }],
  ])('with %s stay', async (_, first, second) => {
    const agent = (await kit.tenant()).agent();
    const content = 'The office in Graz is closed on Fridays.';
    for (const extra of [first, second]) {
      kit.clock.advance(1);
      await rememberUncompared(agent, { type: 'semantic', content, ...extra });
    }
    expect((await reflect(agent)).result).toEqual(NOTHING);
    expect(await knowledge(agent)).toHaveLength(2);
  });

  it.each([
    ['The data is in /srv/Shop/data.', 'The data is in /srv/shop/data.'],
    ['The old build is removed with rm -r build.', 'The old build is removed with rm -R build.'],
    ['The disk of the camera holds 5 Mb a frame.', 'The disk of the camera holds 5 MB a frame.'],
  ])('that differ in a capital which means something stay: %s', async (one, other) => {
    const agent = (await kit.tenant()).agent();
    for (const content of [one, other]) await rememberUncompared(agent, { type: 'semantic', content });
    expect((await reflect(agent)).result).toMatchObject({ merged: 0 });
  });

  it('from outside do not stand for what the agent says', async () => {
    const tenant = await kit.tenant();
    const content = 'Deploys are frozen on Fridays.';
    const outside = tenant.agent({ source: 'import', credentialId: null });
    await rememberUncompared(outside, { type: 'semantic', content });
    kit.clock.advance(1);
    await rememberUncompared(tenant.agent(), { type: 'semantic', content });
    expect((await reflect(tenant.agent())).result).toEqual(NOTHING);
  });

  it('of core memories stay', async () => {
    const agent = (await kit.tenant()).agent();
    for (let time = 0; time < 2; time += 1) {
      await agent.remember({ type: 'core', category: 'operations', content: 'I deploy on Tuesdays only.' });
    }
    expect((await reflect(agent)).result).toEqual(NOTHING);
    expect((await agent.status()).counts.core).toBe(2);
  });

  it('of an episode within the hour do not repeat in its digest', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent);
    await tell(agent);
    expect((await reflect(agent)).result).toMatchObject({ episodes: 4, digests: 1, merged: 4 });
    expect((await agent.status()).counts.episodic).toBe(4);
  });
});

describe('copies of episodes', () => {
  const twice = async (agent: AgentMemory, extra: object) => {
    for (const [time, more] of [{}, extra].entries()) {
      await agent.rememberBatch({
        memories: SAID.map((content, index) => ({
          ...{
            type: 'episodic' as const,
            content,
            session_id: 'twice',
            occurred_at: at(5, (4 * time + index) / 60),
          },
          ...more,
        })),
      });
    }
  };

  it('with tags and importance of their own are merged, and all archived where that is asked', async () => {
    const agent = (await kit.tenant()).agent();
    await twice(agent, { tags: ['ci'], importance: 0.9 });
    const job = await reflect(agent, { archive_sources: true });
    expect(job).toMatchObject({ status: 'done', result: { episodes: 4, digests: 1, merged: 4 } });
    expect(await knowledge(agent)).toMatchObject([{ tags: ['ci'], importance: 0.9 }]);
    expect((await agent.archived()).memories).toHaveLength(8);
    expect((await reflect(agent)).result).toEqual(NOTHING);
  });

  it('that the human does not see take nothing from them', async () => {
    const { agent } = await kit.tenant();
    const { session_key: sessionKey } = await agent().sessionKey();
    await agent().setVisibility({ tags: { secret: 'hidden' } }, { sessionKey });
    await twice(agent(), { tags: ['secret'] });
    const seen = async () =>
      (await agent({ source: 'human', credentialId: null }).query({ limit: 100 })).memories.map(
        ({ id }) => id,
      );
    const before = await seen();
    expect(before).toHaveLength(4);
    await reflect(agent());
    expect(await seen()).toEqual(before);
  });
});

describe('contradictions', () => {
  it('are marked on the older memory; recall and boot show the newer, and recall both where asked', async () => {
    const agent = (await kit.tenant()).agent();
    const store = async (content: string) => {
      kit.clock.advance(1_000);
      return (await rememberUncompared(agent, { type: 'semantic', content })).id;
    };
    const older = await store('The release manager of Orchard is Maya.');
    const newer = await store('The release manager of Orchard is Ben.');
    expect((await reflect(agent)).result).toMatchObject({ merged: 0, superseded: 1 });
    expect((await agent.get({ id: older })).memory).toMatchObject({ superseded_by: newer });
    const found = async (include_superseded: boolean) => {
      const query = 'Is Maya the release manager of Orchard?';
      const { results } = await agent.recall({ query, threshold: 0, include_superseded });
      return results.map(({ id }) => id);
    };
    expect(await found(false)).toEqual([newer]);
    expect(await found(true)).toEqual([newer, older]);
    const { injection } = await agent.boot({ preview: true });
    expect(injection).toMatch(
      /^- \[.*\] The release manager of Orchard is Ben\.\n {2}> \(since .*; before: .* Orchard is Maya\.\)$/m,
    );
    expect(injection.match(/Orchard is Maya/g)).toHaveLength(1);
    expect((await reflect(agent)).result).toMatchObject({ superseded: 0 });
  });

  it.each(['import', 'webhook', 'sync'] as const)(
    'of what the agent says by %s replace nothing',
    async (source) => {
      const tenant = await kit.tenant();
      const outside = tenant.agent({ source, credentialId: null });
      await rememberUncompared(tenant.agent(), { type: 'semantic', content: 'Maya lives in Lisbon.' });
      kit.clock.advance(1_000);
      await rememberUncompared(outside, { type: 'semantic', content: 'Maya lives in Porto.' });
      expect((await reflect(tenant.agent())).result).toEqual(NOTHING);
    },
  );

  it('by a fact that has expired are none', async () => {
    const agent = (await kit.tenant()).agent();
    const older = await rememberUncompared(agent, { type: 'semantic', content: 'Maya lives in Lisbon.' });
    kit.clock.advance(1_000);
    const expires_at = new Date(kit.clock().getTime() + 3_600_000).toISOString();
    await rememberUncompared(agent, { type: 'semantic', content: 'Maya lives in Porto.', expires_at });
    kit.clock.advance(2 * 3_600_000);
    expect((await reflect(agent)).result).toEqual(NOTHING);
    expect((await agent.get({ id: older.id })).memory).not.toHaveProperty('superseded_by');
  });

  it('go by when facts begin to hold, not by when they happened or were stored', async () => {
    const agent = (await kit.tenant()).agent();
    const store = async (content: string, valid_from: string) => {
      kit.clock.advance(1_000);
      return (await rememberUncompared(agent, { type: 'semantic', content, valid_from })).id;
    };
    const newer = await store('Maya lives in Porto.', '2025-06-01T00:00:00Z');
    const older = await store('Maya lives in Lisbon.', '2024-06-01T00:00:00Z');
    expect((await reflect(agent)).result).toMatchObject({ superseded: 1 });
    expect((await agent.get({ id: older })).memory.superseded_by).toBe(newer);
  });

  it.each([
    ['keys', { key: 'ada/city' }, { key: 'bob/city' }],
    ['users', { metadata: { user_id: 'ada' } }, { metadata: { user_id: 'bob' } }],
  ])('between facts of two %s are none', async (_, one, other) => {
    const agent = (await kit.tenant()).agent();
    await rememberUncompared(agent, { type: 'semantic', content: 'City: Vienna', ...one });
    kit.clock.advance(1_000);
    await rememberUncompared(agent, { type: 'semantic', content: 'City: Munich', ...other });
    expect((await reflect(agent)).result).toEqual(NOTHING);
  });

  it('end where the older memory is rewritten', async () => {
    const agent = (await kit.tenant()).agent();
    const memory = await rememberUncompared(agent, { type: 'semantic', content: 'Maya lives in Lisbon.' });
    kit.clock.advance(1_000);
    await rememberUncompared(agent, { type: 'semantic', content: 'Maya lives in Porto.' });
    await reflect(agent);
    await agent.update({ id: memory.id, tags: ['people'] });
    expect((await agent.get({ id: memory.id })).memory.superseded_by).toBeDefined();
    await agent.update({ id: memory.id, content: 'Maya lived in Lisbon until 2025.' });
    expect((await agent.get({ id: memory.id })).memory.superseded_by).toBeUndefined();
  });
});

describe('undoing reflection', () => {
  it('brings back everything it archived, marked and made, and it does not do it again', async () => {
    const agent = (await kit.tenant()).agent();
    const since = kit.clock().toISOString();
    const ids = await tell(agent);
    for (const content of ['Maya lives in Lisbon.', 'Maya lives in Porto.', 'maya lives in Porto']) {
      kit.clock.advance(1_000);
      await rememberUncompared(agent, { type: 'semantic', content });
    }
    const shown = async () =>
      (await agent.query({ limit: 100, include_superseded: true })).memories.map(
        ({ content, superseded_by, tags }) => JSON.stringify([content, superseded_by, tags]),
      );
    const before = (await shown()).sort();
    expect((await reflect(agent, { archive_sources: true })).result).toMatchObject({
      digests: 1,
      merged: 1,
      superseded: 1,
    });
    await agent.undo({ source: 'reflection', since });
    expect((await shown()).sort()).toEqual(before);
    expect((await agent.query({ type: 'episodic' })).memories.map(({ id }) => id).sort()).toEqual(ids.sort());
    expect((await reflect(agent)).result).toEqual(NOTHING);
  });
});

describe('the schedule of reflection', () => {
  const hour = () => kit.engine.background.run('reflection.schedule');

  it('starts it daily where there is something to reflect on, unless the agent does not want it', async () => {
    const [busy, idle, off] = [await kit.tenant(), await kit.tenant(), await kit.tenant()];
    for (const { agent } of [busy, off]) await tell(agent());
    await off.agent().setReflectConfig({ enabled: false });
    await hour();
    const started = async () =>
      Promise.all([busy, idle, off].map(async ({ agent }) => (await agent().jobs()).jobs.length));
    expect(await started()).toEqual([1, 0, 0]);
    await kit.engine.background.run('jobs.work');
    await tell(busy.agent(), 'tuesday', 6);
    kit.clock.advance(DAY_MS - 1);
    await hour();
    expect(await started()).toEqual([1, 0, 0]);
    kit.clock.advance(1);
    await hour();
    expect(await started()).toEqual([2, 0, 0]);
    await kit.engine.background.run('jobs.work');
  });

  it('keeps to the settings of the agent', async () => {
    const { agent } = await kit.tenant();
    await tell(agent());
    const { reflect_config } = await agent().setReflectConfig({ older_than_days: 3_000, every_hours: 1 });
    expect(reflect_config).toEqual({
      enabled: true,
      every_hours: 1,
      older_than_days: 3_000,
      archive_sources: false,
    });
    expect((await agent().reflectConfig()).reflect_config).toEqual(reflect_config);
    await hour();
    expect((await agent().jobs()).jobs).toEqual([]);
    expect((await reflect(agent())).result).toEqual(NOTHING);
  });

  it('runs once at a time', async () => {
    const agent = (await kit.tenant()).agent();
    await tell(agent);
    const jobs = await Promise.all([agent.reflect(), agent.reflect()]);
    expect(jobs[0]?.job.id).toBe(jobs[1]?.job.id);
    await kit.engine.background.run('jobs.work');
  });
});
