import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { svc } from '../../server/src/cli/cli.fixture.ts';
import { Transcript } from './hook.fixture.ts';
import { turnsOf, useAwayService, waitingOn } from './service-away.fixture.ts';

const { service, newMachine, deadAddress, begunSession } = useAwayService();

/** Another agent, or another user of the same agent. */
async function twoOwners(are: string) {
  const agent = await service.signUp();
  const newKey = async (tenantId: string, userId?: string) => {
    const { secret } = await service.kit.engine.apiKeys.create(tenantId, {
      name: 'hooks',
      scope: 'full',
      ...(userId !== undefined && { userId }),
    });
    return secret;
  };
  if (are === 'users of one agent') {
    const keys = (user: string) => () => newKey(agent.tenantId, user);
    return { keyOfOne: keys('u1'), keyOfOther: keys('u2') };
  }
  const other = await service.signUp();
  return { keyOfOne: () => newKey(agent.tenantId), keyOfOther: () => newKey(other.tenantId) };
}

test.each(['users of one agent', 'agents'])(
  'what waits on the machine goes to whom it is of, where the key was one of two %s and is one of the other',
  async (are) => {
    const { keyOfOne, keyOfOther } = await twoOwners(are);
    const first = await keyOfOne();
    const machine = newMachine({ url: service.url, key: first });
    const transcript = new Transcript(machine.project, 's1');
    await machine.fire(transcript.user('Hello.').hook('Stop'));
    transcript.user('I collect kolibris.');
    await machine.fire(transcript.hook('SessionEnd'), { env: { SVC_API_URL: await deadAddress() } });
    expect(waitingOn(machine)).toHaveLength(1);

    const reach = { SVC_API_URL: service.url, SVC_API_KEY: await keyOfOther() };
    const others = new Transcript(machine.project, 's2');
    await machine.fire(others.hook('SessionStart', { source: 'startup' }), { env: reach });
    await machine.fire(others.user('I collect stamps.').hook('Stop'), { env: reach });
    expect(await turnsOf(service.withKey(reach.SVC_API_KEY))).toEqual(['user: I collect stamps.']);
    expect(waitingOn(machine)).toHaveLength(1);
    const env = { HOME: machine.project, SVC_DATA_DIR: join(machine.project, 'data') };
    const { out } = await svc('hooks status', { ...env, ...reach });
    expect(out).toMatch(
      /Waiting +nothing\nNot sent +1 requests in \S+, of another agent or user than the key/,
    );
    const listed = JSON.parse((await svc('hooks status --json', { ...env, ...reach })).out);
    expect(listed).toMatchObject({ waiting: 0, waiting_of_others: 1 });

    // A new key of whom it is of.
    const renewed = await keyOfOne();
    const again = new Transcript(machine.project, 's3');
    await machine.fire(again.hook('SessionStart', { source: 'startup' }), { env: { SVC_API_KEY: renewed } });
    expect(waitingOn(machine)).toEqual([]);
    expect((await turnsOf(service.withKey(renewed))).toSorted()).toEqual([
      'user: Hello.',
      'user: I collect kolibris.',
    ]);
  },
);

test('what an earlier release kept, which did not say whose it is, is sent', async () => {
  const { api, machine, transcript } = await begunSession();
  transcript.user('I collect kolibris.');
  await machine.fire(transcript.hook('SessionEnd'), { env: { SVC_API_URL: await deadAddress() } });
  for (const name of waitingOn(machine)) {
    const file = join(machine.home, 'hooks', 'spool', name);
    const { key: _, of: __, ...request } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify(request));
  }
  await machine.fire(new Transcript(machine.project, 's2').hook('SessionStart', { source: 'startup' }));
  expect(waitingOn(machine)).toEqual([]);
  expect(await turnsOf(api)).toEqual(['user: I collect kolibris.']);
});

test('the last injection is not delivered to another agent while the service is away', async () => {
  const { keyOfOne, keyOfOther } = await twoOwners('agents');
  const machine = newMachine({ url: service.url, key: await keyOfOne() });
  const transcript = new Transcript(machine.project, 's1').user('I collect kolibris.');
  await machine.fire(transcript.hook('Stop'));
  const others = new Transcript(machine.project, 's2').user('I collect stamps.');
  await machine.fire(others.hook('Stop'), { env: { SVC_API_KEY: await keyOfOther() } });
  expect(machine.snapshot()).toContain('I collect stamps.');
  const away = { SVC_API_URL: await deadAddress() };
  const { out } = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }), { env: away });
  expect(out).toMatch(/^# MEMORY NOT AVAILABLE\n/);
});
