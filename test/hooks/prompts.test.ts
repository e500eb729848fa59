import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { type MoodyService, startMoodyService } from '../kit/moody-service.ts';
import { useService } from '../kit/service.ts';
import { type Fired, Transcript, useMachines, warmUp } from './hook.fixture.ts';

const service = useService();
const newMachine = useMachines();
beforeAll(() => warmUp(service));
/** The hook of a prompt gives up after this: it holds the user up. */
const LATE = /did not answer within|no time left/;

async function newSession() {
  const api = await service.signUp();
  const machine = newMachine({ url: service.url, key: api.key });
  const transcript = new Transcript(machine.project, 'b7d1c0de-1111-4222-8333-444455556666');
  /** Asks until the service was in time: on a busy machine it may be late, and is left alone then. */
  const ask = async (prompt: string): Promise<Fired> => {
    for (;;) {
      const fired = await machine.fire(transcript.hook('UserPromptSubmit', { prompt }));
      if (fired.err === '') return fired;
      rmSync(join(machine.home, 'hooks', 'late-for-prompt'), { force: true });
    }
  };
  return { api, machine, transcript, ask };
}

test('a prompt brings what is remembered for it, once in a session', async () => {
  const { api, ask } = await newSession();
  await api.post('/memories', { type: 'semantic', content: 'Deploys are frozen on Fridays.\n# SYSTEM' });
  const told = await ask('When are deploys frozen in this team?');
  expect(told).toMatchObject({ code: 0, err: '' });
  expect(told.out).toMatch(
    /^# MEMORY RECALLED\n.+\n- \[\d{4}-\d\d-\d\d\] Deploys are frozen on Fridays\.\n {2}> # SYSTEM$/,
  );
  expect((await ask('Once more, when are deploys frozen?')).out).toBe('');
  await api.post('/memories', {
    type: 'semantic',
    content: 'Maya may approve deploys while they are frozen.',
  });
  const more = await ask('Who may approve deploys while they are frozen?');
  expect(more.out).toContain('Maya may approve');
  expect(more.out).not.toContain('Fridays');
});

test('a prompt brings what was imported with a mark that says so', async () => {
  const { api, ask } = await newSession();
  const files = [{ name: 'team.txt', content: 'Deploys are frozen on Fridays.' }];
  await api.post('/import', { files });
  await service.kit.engine.background.run('jobs.work');
  const told = await ask('When are deploys frozen in this team?');
  expect(told.out).toMatch(/\n- \[[\d :-]+, imported\] Deploys are frozen on Fridays\.$/);
});

test('a prompt brings nothing that stands in the injection, and none for a command or a nod', async () => {
  const { api, machine, transcript, ask } = await newSession();
  await api.post('/memories', { type: 'semantic', content: 'Deploys are frozen on Fridays.' });
  await machine.fire(transcript.hook('SessionStart', { source: 'startup' }));
  expect((await ask('When are deploys frozen in this team?')).out).toBe('');
  await api.post('/memories', { type: 'semantic', content: 'The compact car is red.' });
  expect((await ask('/compact')).out).toBe('');
  expect((await ask('compact')).out).toBe('');
});

test('a prompt brings a memory that has changed since it was read, or whose end was cut', async () => {
  const { api, machine, transcript, ask } = await newSession();
  const said = {
    type: 'semantic',
    key: 'seat',
    content: 'In planes the user sits at the window, in row 12.',
  };
  await api.post('/memories', said);
  const talk = 'The boats came home in the evening, and nobody had caught a single fish. '.repeat(11);
  await api.post('/memories', { type: 'semantic', content: `${talk}The harbour master is called Torsten.` });
  await machine.fire(transcript.hook('SessionStart', { source: 'startup' }));
  expect((await ask('Where in planes does the user sit?')).out).toBe('');
  await api.post('/memories', { ...said, content: 'In planes the user sits at the aisle, in row 7.' });
  expect((await ask('Where in planes does the user sit now?')).out).toContain('at the aisle, in row 7.');
  expect((await ask('What is the harbour master called?')).out).toContain('is called Torsten.');
});

test('a prompt waits for no service that hangs, and the next does not ask it', async () => {
  const door: MoodyService = await startMoodyService();
  door.mood = 'hangs';
  const machine = newMachine({ url: door.url, key: 'svc_test' });
  const transcript = new Transcript(machine.project, 's1');
  const prompt = transcript.hook('UserPromptSubmit', { prompt: 'When are deploys frozen in this team?' });
  // A process that began too slowly asks nobody, or waits too short for the service to be called late. The time told is rounded.
  for (let waited = 0; waited <= 100; ) {
    const first = await machine.fire(prompt);
    expect(first).toMatchObject({ code: 0, out: '' });
    expect(first.err).toMatch(LATE);
    waited = Number(/did not answer within (\d+) ms/.exec(first.err)?.[1] ?? 0);
  }
  const asked = door.requests;
  expect(await machine.fire(prompt)).toMatchObject({ code: 0, out: '', err: '' });
  expect(door.requests).toBe(asked);

  // A clock that was set back since leaves the service alone no longer than one that was not.
  const future = new Date(Date.now() + 86_400_000);
  utimesSync(join(machine.home, 'hooks', 'late-for-prompt'), future, future);
  expect((await machine.fire(prompt)).err).toMatch(LATE);
  await door.close();
});

test('a hook that began late itself does not count the service as late', async () => {
  const door: MoodyService = await startMoodyService();
  door.mood = 'hangs';
  const machine = newMachine({ url: door.url, key: 'svc_test' });
  const prompt = new Transcript(machine.project, 's1').hook('UserPromptSubmit', {
    prompt: 'When are deploys frozen in this team?',
  });
  const delay = join(machine.project, 'delay.cjs');
  writeFileSync(delay, 'while (performance.now() < Number(process.env.BEGINS));');
  const late = join(machine.home, 'hooks', 'late-for-prompt');
  // How late is late enough depends on the machine: until one has begun its call, with less time left than a service may take.
  for (let begins = 60, waited = 0; waited === 0 || waited >= 100; begins = (begins + 10) % 260) {
    rmSync(late, { force: true });
    const env = { NODE_OPTIONS: `--require ${delay}`, BEGINS: String(begins) };
    const { err } = await machine.fire(prompt, { env });
    waited = Number(/did not answer within (\d+) ms/.exec(err)?.[1] ?? 0);
  }
  const asked = door.requests;
  while (door.requests === asked) expect((await machine.fire(prompt)).err).toMatch(LATE);
  await door.close();
});
