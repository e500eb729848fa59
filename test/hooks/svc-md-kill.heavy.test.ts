import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { useService } from '../kit/service.ts';
import { Transcript, useMachines } from './hook.fixture.ts';

const service = useService();
const newMachine = useMachines();
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const WRITER = fileURLToPath(new URL('svc-md-writer.ts', import.meta.url));
const ROUNDS = 8;

/** Fails unless `SVC.md` is there, and as long as its front matter says. */
function expectWhole(folder: string): string {
  const file = readFileSync(join(folder, 'SVC.md'), 'utf8');
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n\n([\s\S]*)\n$/.exec(file) ?? [];
  expect(body.length).toBeGreaterThan(0);
  expect(head).toContain(`\ncharacters: ${body.length}`);
  return body;
}

test('kill -9 of a writer in full swing leaves a whole SVC.md', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-md-'));
  folders.push(folder);
  for (let round = 1; round <= ROUNDS; round += 1) {
    const child = spawn(process.execPath, ['--import', 'tsx', WRITER, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(child, 'close');
    // Somewhere in the writing after the one it tells of, another place each round.
    let told = 0;
    for await (const _ of child.stdout) {
      told += 1;
      if (told === round) child.kill('SIGKILL');
    }
    expect((await closed)[1]).toBe('SIGKILL');
    const body = expectWhole(folder);
    expect(new Set(body.split('\n')[1]?.match(/version \d+/g)).size).toBe(1);
  }
});

test('kill -9 of a hook at the moment it writes leaves the old SVC.md or the new one', async () => {
  const api = await service.signUp();
  const machine = newMachine({ url: service.url, key: api.key });
  const transcript = new Transcript(machine.project, 's1');
  await machine.fire(transcript.hook('SessionStart', { source: 'startup' }));
  let rounds = 0;
  // How often the kill comes in time depends on what else this machine does.
  for (let killed = 0; killed < 3 && rounds < 50; rounds += 1) {
    transcript.user(`Round ${rounds}.`);
    const { child, fired } = machine.start(transcript.hook('Stop'));
    const watcher = watch(machine.home, (_event, name) => {
      if (name?.startsWith('SVC.md.')) child.kill('SIGKILL');
    });
    if ((await fired).code === 'SIGKILL') killed += 1;
    watcher.close();
    expectWhole(machine.home);
  }
  expect(rounds).toBeLessThan(50);
  // What was killed before it noted how far it had come is sent again, and kept once.
  await machine.fire(transcript.hook('PreCompact', { trigger: 'auto', custom_instructions: '' }));
  const { body } = await api.get<'query'>('/memories/query?type=episodic&limit=100');
  expect(body.memories.map(({ content }) => content).sort()).toEqual(
    Array.from({ length: rounds }, (_, round) => `user: Round ${round}.`).sort(),
  );
  expect(readdirSync(machine.home)).toContain('SVC.md');
});
