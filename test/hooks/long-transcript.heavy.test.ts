import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import type { Output } from '@svc-memory/core/contract';
import { beforeAll, expect, test } from 'vitest';
import type { Answer, Api } from '../kit/api.ts';
import { useService } from '../kit/service.ts';
import { Transcript, useMachines, warmUp } from './hook.fixture.ts';

const service = useService();
const newMachine = useMachines();
beforeAll(() => warmUp(service));
const TURNS = 7_000;
const RESULT = 'one line of a long output of a tool\n'.repeat(200);

/** 50 MB as a long session has them: every turn with a tool's result that nobody keeps. */
function longTranscript(): string {
  const lines: string[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const timestamp = new Date(Date.UTC(2026, 1, 1) + turn * 1_000).toISOString();
    const line = (role: string, content: unknown) =>
      lines.push(JSON.stringify({ type: role, message: { role, content }, timestamp }));
    line('user', `Turn ${turn}: what is next?`);
    line('user', [{ type: 'tool_result', tool_use_id: `t${turn}`, content: RESULT }]);
  }
  return `${lines.join('\n')}\n`;
}

/** Lines of 1 MiB each that take almost no room on the disk. */
function writeSparseLines(path: string, lines: number): void {
  const file = openSync(path, 'w');
  for (let line = 1; line <= lines; line += 1) writeSync(file, '\n', line * 1_048_576 - 1);
  closeSync(file);
}

const keptOf = async (api: Api, words: string): Promise<number> => {
  const { body }: Answer<Output<'query'>> = await api.get<'query'>('/memories/query?type=episodic&limit=100');
  return body.memories.filter(({ content }) => content.includes(words)).length;
};

test('of 50 MB the newest turns are kept first, the rest by and by, and what waits is said', async () => {
  const api = await service.signUp();
  const machine = newMachine({ url: service.url, key: api.key });
  const transcript = new Transcript(machine.project, 's1');
  writeFileSync(transcript.path, longTranscript());
  const compacting = await machine.fire(transcript.hook('PreCompact', { trigger: 'auto' }));
  expect(compacting.code).toBe(0);
  expect(compacting.milliseconds).toBeLessThan(10_000);
  expect(await keptOf(api, `Turn ${TURNS - 1}:`)).toBe(1);
  expect(compacting.err).toMatch(/^svc: \d\d\.\d MiB of older turns wait/m);
  const waits = (err: string) => Number(/([\d.]+) MiB of older turns wait/.exec(err)?.[1] ?? 0);

  // What is said meanwhile goes first again, and the backlog shrinks.
  transcript.user('Something new.');
  let next = await machine.fire(transcript.hook('Stop'));
  // On a machine too busy to answer in time it waits for a while, or for a compaction.
  while ((await keptOf(api, 'Something new.')) === 0) {
    next = await machine.fire(transcript.hook('PreCompact', { trigger: 'auto' }));
  }
  expect(waits(next.err)).toBeLessThanOrEqual(waits(compacting.err));
  const restored = await machine.fire(transcript.hook('SessionStart', { source: 'compact' }));
  expect(restored.out).toContain(`Turn ${TURNS - 1}:`);
});

test('of 16 GiB in which nobody said anything no more is read than the host may wait for', async () => {
  const api = await service.signUp();
  const machine = newMachine({ url: service.url, key: api.key });
  const transcript = new Transcript(machine.project, 's1');
  writeSparseLines(transcript.path, 16_384);
  const fired = await machine.fire(transcript.hook('PreCompact', { trigger: 'auto' }));
  expect(fired).toMatchObject({ code: 0, err: expect.stringMatching(/MiB of older turns wait/) });
  expect(fired.milliseconds).toBeLessThan(10_000);
});
