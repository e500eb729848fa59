import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Output } from '@svc-memory/core/contract';
import { beforeAll, expect, test } from 'vitest';
import type { Answer, Api } from '../kit/api.ts';
import { useService } from '../kit/service.ts';
import { Transcript, useMachines, warmUp } from './hook.fixture.ts';

const service = useService();
const newMachine = useMachines();
beforeAll(() => warmUp(service));

const keptOf = async (api: Api, words: string): Promise<number> => {
  const { body }: Answer<Output<'query'>> = await api.get<'query'>('/memories/query?type=episodic&limit=100');
  return body.memories.filter(({ content }) => content.includes(words)).length;
};

test.skipIf(process.platform === 'win32')(
  'a pipe is neither a transcript nor the working memory',
  async () => {
    const api = await service.signUp();
    const machine = newMachine({ url: service.url, key: api.key });
    const transcript = new Transcript(machine.project, 's1');
    mkdirSync(machine.home);
    await promisify(execFile)('mkfifo', [transcript.path, join(machine.home, 'WORKING.md')]);
    const { code, err } = await machine.fire(transcript.hook('PreCompact', { trigger: 'auto' }));
    expect([code, err]).toEqual([
      0,
      `svc: the transcript cannot be read: ${transcript.path} is no plain file\n`,
    ]);
  },
);

test.skipIf(process.platform === 'win32')(
  'what stands in place of a file of its own holds no hook up',
  async () => {
    const machine = newMachine({ url: 'http://127.0.0.1:1', key: 'svc_none' });
    const transcript = new Transcript(machine.project, 's1').user('Hello.');
    const spool = join(machine.home, 'hooks', 'spool');
    mkdirSync(spool, { recursive: true });
    await promisify(execFile)('mkfifo', [join(spool, '000000000000001-x.json')]);
    for (const place of ['pipe', '/dev/tty', '/dev/zero']) {
      const snapshot = join(machine.home, 'SVC.md');
      if (place === 'pipe') await promisify(execFile)('mkfifo', [snapshot]);
      else symlinkSync(place, snapshot);
      const { code, err } = await machine.fire(transcript.hook('SessionStart', { source: 'startup' }));
      expect(code, place).toBe(0);
      expect(err).toContain('cannot be reached');
      rmSync(snapshot);
    }
    expect((await machine.fire(transcript.hook('SessionEnd', { reason: 'other' }))).code).toBe(0);
  },
);

test("an answer is kept that the transcript does not have yet, once, and the host's summary", async () => {
  const api = await service.signUp();
  const machine = newMachine({ url: service.url, key: api.key });
  const transcript = new Transcript(machine.project, 's1').user('What is six times seven?');
  await machine.fire(transcript.hook('Stop', { last_assistant_message: 'It is forty-two.' }));
  expect(await keptOf(api, 'It is forty-two.')).toBe(1);
  transcript.assistant('It is forty-two.').user('Thank you.');
  await machine.fire(transcript.hook('Stop', { last_assistant_message: 'You are welcome.' }));
  expect(await keptOf(api, 'It is forty-two.')).toBe(1);
  expect(await keptOf(api, 'You are welcome.')).toBe(1);
  await machine.fire(transcript.hook('PostCompact', { trigger: 'auto', compact_summary: 'They did sums.' }));
  expect(await keptOf(api, 'Summary of the conversation at its compaction:\nThey did sums.')).toBe(1);
});
