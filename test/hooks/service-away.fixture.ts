import { readdirSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../kit/api.ts';
import { freePort, type Listening, listen } from '../kit/listen.ts';
import { useService } from '../kit/service.ts';
import { type Fired, type Machine, Transcript, useMachines, warmUp } from './hook.fixture.ts';

/** A service, machines with hooks, and addresses at which it is not. */
export function useAwayService() {
  const service = useService();
  const newMachine = useMachines();
  beforeAll(() => warmUp(service));

  const servers: Listening[] = [];
  afterAll(() => Promise.all(servers.map(({ close }) => close())));

  async function serve(answer: RequestListener): Promise<string> {
    const server = await listen(createServer(answer));
    servers.push(server);
    return server.url;
  }

  /** An address where nobody listens. */
  const deadAddress = async () => `http://127.0.0.1:${await freePort()}`;

  /** A session that has begun well, with its SVC.md saved. */
  async function begunSession() {
    const api = await service.signUp();
    await api.post('/memories', { type: 'core', category: 'soul', content: 'I keep my promises.' });
    const machine = newMachine({ url: service.url, key: api.key });
    const transcript = new Transcript(machine.project, 's1');
    await machine.fire(transcript.hook('SessionStart', { source: 'startup' }));
    return { api, machine, transcript, saved: machine.snapshot() ?? '' };
  }

  return { service, newMachine, serve, deadAddress, begunSession };
}

type AwayService = ReturnType<typeof useAwayService>;

export const compacting = (transcript: Transcript) =>
  transcript.hook('PreCompact', { trigger: 'auto', custom_instructions: '' });

export const turnsOf = async (api: Api) =>
  (await api.get<'query'>('/memories/query?type=episodic&limit=100')).body.memories.map(
    ({ content }) => content,
  );

export function expectHeldUpByNothing(fired: Fired): void {
  expect(fired.code).toBe(0);
  expect(fired.milliseconds).toBeLessThan(5_000);
}

export function waitingOn(machine: Machine): string[] {
  return readdirSync(join(machine.home, 'hooks', 'spool'));
}

/** What hooks do at each of these addresses in place of the service, from the start of a session to the service's return. */
export function describeAway(
  { begunSession }: AwayService,
  away: readonly (readonly [name: string, start: () => Promise<string>])[],
): void {
  describe.each(away)('with the service %s', (_name, start) => {
    test('the last good SVC.md is delivered and kept, turns wait and are kept once when it is back', async () => {
      const url = await start();
      const { api, machine, transcript, saved } = await begunSession();
      const gone = { env: { SVC_API_URL: url } };
      transcript.user('Deploy to staging.').assistant('Done.');

      const flushed = await machine.fire(compacting(transcript), gone);
      expectHeldUpByNothing(flushed);
      expect(flushed.err).toMatch(/^svc: .*; new turns wait on this machine\n$/);
      expect(machine.snapshot()).toBe(saved);

      const restored = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }), gone);
      expectHeldUpByNothing(restored);
      expect(restored.out).toMatch(/^# MEMORY INJECTION\nThe memory service could not be reached\./);
      expect(restored.out).toContain('- [soul, not confirmed by the human] I keep my promises.');
      expect(restored.err).toContain('delivered SVC.md of ');

      transcript.user('And now production.');
      expectHeldUpByNothing(await machine.fire(transcript.hook('Stop'), gone));
      expect(await turnsOf(api)).toEqual([]);

      const back = await machine.fire(transcript.hook('SessionEnd', { reason: 'other' }));
      expect(back).toMatchObject({ code: 0, err: '' });
      expect((await turnsOf(api)).reverse()).toEqual([
        'user: Deploy to staging.',
        'assistant: Done.',
        'user: And now production.',
      ]);
      expect(waitingOn(machine)).toEqual([]);
      const { body } = await api.get<'compactions'>('/compactions');
      expect(body.moments).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ kind: 'compaction', outcome: 'spooled', recovery: 'delivered' }),
          expect.objectContaining({ kind: 'recovery', outcome: 'stale', characters: restored.out.length }),
        ]),
      );
    });
  });
}
