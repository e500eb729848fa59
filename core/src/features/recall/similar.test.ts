import { expect, it } from 'vitest';
import { useTestEngine } from '../../testing/engine.fixture.ts';

const HUMAN = { source: 'human' as const, credentialId: '00000000-0000-4000-8000-000000000002' };

const kit = useTestEngine();

it('finds memories like one, without itself, without a trace in the log, and nothing by what is withheld', async () => {
  const { agent } = await kit.tenant();
  const draft = (content: string, tags: string[] = []) => ({ type: 'episodic' as const, content, tags });
  const { memories } = await agent().rememberBatch({
    memories: [
      draft('Deployed the billing service to production on Tuesday.'),
      draft('Deployed the billing service to staging on Monday.'),
      draft('Planted tomatoes in the garden.', ['private']),
      draft('Watered the tomatoes in the garden.'),
    ],
  });
  const [deployed, staged, planted, watered] = memories.map(({ id }) => id);
  const like = async (id: string | undefined, as = agent()) =>
    (await as.similar({ id: id ?? '' })).results.map((result) => result.id);
  expect(await like(deployed)).toEqual([staged]);
  expect(await like(watered)).toEqual([planted]);
  expect((await agent().recalls()).recalls).toEqual([]);

  const { session_key: sessionKey } = await agent().sessionKey();
  await agent().setVisibility({ tags: { private: 'redacted' } }, { sessionKey });
  expect(await like(watered, agent(HUMAN))).toEqual([]);
  expect(await like(planted, agent(HUMAN))).toEqual([]);
  await agent().setVisibility({ tags: { private: 'hidden' } }, { sessionKey });
  await expect(agent(HUMAN).similar({ id: planted ?? '' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
