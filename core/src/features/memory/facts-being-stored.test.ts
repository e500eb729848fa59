import { describe, expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { cases } from '../../testing/index.ts';

const kit = useTestEngine();

describe('facts that are told at once', () => {
  const newAgent = async () => (await kit.tenant()).agent();
  const many = <T>(count: number, call: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => call(n)));

  it('make one memory where they say the same, in whatever wording', async () => {
    const agent = await newAgent();
    const wordings = [
      'The staging database listens on port 5433.',
      'the staging database listens on port 5433',
      'The staging  database listens on port 5433!',
    ];
    const answers = await many(20, (n) =>
      agent.remember({ type: 'semantic', content: wordings[n % 3] as string, tags: [`t${n % 5}`] }),
    );
    expect(new Set(answers.map(({ memory }) => memory.id)).size).toBe(1);
    expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    const { memories } = await agent.query({});
    expect(memories).toMatchObject([{ confirmations: 19 }]);
    expect(memories[0]?.tags.toSorted()).toEqual(['t0', 't1', 't2', 't3', 't4']);
  });

  it('leave one that holds where they contradict each other', async () => {
    const agent = await newAgent();
    const answers = await many(3, (n) =>
      agent.remember({ type: 'semantic', content: `The billing service listens on port ${8080 + n}.` }),
    );
    const { memories } = await agent.query({});
    expect(memories).toHaveLength(1);
    const all = await agent.query({ include_superseded: true });
    expect(all.memories).toHaveLength(3);
    const replaced = answers.flatMap(({ superseded = [] }) => superseded.map(({ id }) => id));
    const former = all.memories.filter(({ superseded_by }) => superseded_by);
    expect(replaced.toSorted()).toEqual(former.map(({ id }) => id).toSorted());
  });

  it('are seen by batches, and batches by them', async () => {
    const agent = await newAgent();
    const drafts = [
      'Maya leads the Orchard team.',
      'Deploys are frozen on Fridays.',
      'The lake is 40 m deep.',
    ].map((content) => ({ type: 'semantic' as const, content }));
    await Promise.all([
      many(5, (n) => agent.rememberBatch({ memories: n % 2 ? drafts : drafts.toReversed() })),
      ...drafts.map((draft) => agent.remember(draft)),
    ]);
    const { memories } = await agent.query({});
    expect(memories.map(({ content }) => content).toSorted()).toEqual(
      drafts.map(({ content }) => content).toSorted(),
    );
    expect(memories.map(({ confirmations }) => confirmations)).toEqual([5, 5, 5]);
  });

  it('answer a repeated request once, and the others after it has failed', async () => {
    const agent = await newAgent();
    const draft = { type: 'semantic' as const, content: 'The gate code is changed in June.' };
    const [one, other] = await many(2, () => agent.remember(draft, { idempotencyKey: 'gate' }));
    expect(other).toEqual(one);
    const absent = '00000000-0000-7000-8000-000000000000';
    const said = { type: 'semantic' as const, content: 'The archive is kept in Oslo.' };
    const answers = await Promise.allSettled([
      agent.remember({ ...said, supersedes: [absent] }),
      agent.remember(said),
      agent.remember(said),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect((await agent.query({})).memories.map(({ content }) => content)).toContain(said.content);
  });

  it('stay apart between tenants, and where both may hold', async () => {
    const [one, other] = [await newAgent(), await newAgent()];
    const facts = ['Ada is nine years old.', 'Bo is seven years old.', 'Cy is four years old.'];
    await many(12, (n) =>
      (n % 2 ? one : other).remember({ type: 'semantic', content: facts[n % 3] as string }),
    );
    for (const agent of [one, other]) {
      const { memories } = await agent.query({});
      expect(memories.map(({ content }) => content).toSorted()).toEqual(facts.toSorted());
    }
  });

  it('come to the same whatever comes together, as they would one after the other', async () => {
    for (let round = 0; round < cases(2, 40); round++) {
      const agent = await newAgent();
      await many(16, (n) =>
        agent.remember({
          type: n % 2 ? 'semantic' : 'working',
          content: `Locker ${(n + round) % 4} belongs to the night shift.`,
        }),
      );
      const { memories } = await agent.query({});
      expect(new Set(memories.map(({ type, content }) => `${type} ${content}`)).size).toBe(memories.length);
    }
  });
});
