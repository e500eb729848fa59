import { describe, expect, test } from 'vitest';
import { Transcript } from './hook.fixture.ts';
import { turnsOf, useAwayService, waitingOn } from './service-away.fixture.ts';

const { service, newMachine, deadAddress } = useAwayService();

/** A machine whose hooks have the key of one user, who may be forgotten and begin anew with another key. */
async function userWithHooks() {
  const agent = await service.signUp();
  const newKey = async () => {
    const draft = { name: 'u1', scope: 'full', userId: 'u1' } as const;
    return (await service.kit.engine.apiKeys.create(agent.tenantId, draft)).secret;
  };
  const machine = newMachine({ url: service.url, key: await newKey() });
  const transcript = new Transcript(machine.project, 's1');
  await machine.fire(transcript.user('Hello.').hook('Stop'));
  const forget = async () => expect((await agent.delete('/users/u1')).status).toBe(200);
  const beginAnew = async () => {
    await forget();
    const key = await newKey();
    return { env: { SVC_API_KEY: key }, api: service.withKey(key) };
  };
  return { machine, transcript, forget, beginAnew };
}

/** Of a turn that its host gives no time. */
const NO_TIME = { timestamp: undefined };

describe('what a user said before they were forgotten', () => {
  test('is not brought back from where it waited on the machine', async () => {
    const { machine, transcript, beginAnew } = await userWithHooks();
    transcript.user('I collect kolibris.', NO_TIME);
    await machine.fire(transcript.hook('SessionEnd'), { env: { SVC_API_URL: await deadAddress() } });
    expect(waitingOn(machine)).toHaveLength(1);
    const { env, api } = await beginAnew();
    const other = new Transcript(machine.project, 's2').user('I collect stamps.', NO_TIME);
    expect(await machine.fire(other.hook('Stop'), { env })).toMatchObject({ code: 0, err: '' });
    expect(await turnsOf(api)).toEqual(['user: I collect stamps.']);
    expect(waitingOn(machine)).toEqual([]);
  });

  test('is not brought back from a transcript that was not sent to its end', async () => {
    const { machine, transcript, beginAnew } = await userWithHooks();
    const minutesAgo = (minutes: number) => ({
      timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
    });
    transcript.user('I collect kolibris.', minutesAgo(30));
    const { env, api } = await beginAnew();
    service.kit.clock.advance(20 * 60_000);
    transcript.user('I collect stamps.', minutesAgo(10));
    await machine.fire(transcript.hook('Stop'), { env });
    expect(await turnsOf(api)).toEqual(['user: I collect stamps.']);
  });
});

describe('SVC.md of a user who was forgotten', () => {
  const withMemory = async () => {
    const user = await userWithHooks();
    await user.machine.fire(user.transcript.user('I collect kolibris.').hook('Stop'));
    const begun = await user.machine.fire(user.transcript.hook('SessionStart', { source: 'compact' }));
    expect(begun.out).toContain('kolibris');
    expect(user.machine.snapshot()).toContain('kolibris');
    return user;
  };

  test.each(['SessionStart', 'Stop'] as const)(
    'is removed by the first hook that the service tells so, at %s, and delivered no more',
    async (event) => {
      const { machine, transcript, forget } = await withMemory();
      await forget();
      transcript.user('What do I collect?');
      const fired = await machine.fire(transcript.hook(event));
      expect(fired.out).not.toContain('kolibris');
      expect(fired.err).toContain('SVC.md is removed: it was of a user whose key the service does not know');
      expect(machine.snapshot()).toBeUndefined();
      const away = { env: { SVC_API_URL: await deadAddress() } };
      const later = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }), away);
      expect(later.out).toMatch(/^# MEMORY NOT AVAILABLE\n/);
    },
  );

  test('says to the agent why it is gone', async () => {
    const { machine, transcript, forget } = await withMemory();
    await forget();
    const { out } = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }));
    expect(out).toContain(
      'refused the key of your hooks: tell your human. What was saved here of its user is removed.',
    );
  });

  test('is delivered while the service is only away', async () => {
    const { machine, transcript, forget } = await withMemory();
    await forget();
    const away = { env: { SVC_API_URL: await deadAddress() } };
    const { out } = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }), away);
    expect(out).toContain('kolibris');
  });
});
