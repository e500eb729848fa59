import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const PROGRAM = fileURLToPath(new URL('main.ts', import.meta.url));
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-cut-off-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Starts a benchmark; settings of whoever measures, which would change what is measured, are not its own. */
function measure(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): { child: ChildProcess; said(): string } {
  const child = spawn(process.execPath, ['--import', 'tsx', PROGRAM, ...args], {
    env: { ...process.env, TMPDIR: folder, SVC_HOST: 'nowhere.invalid', SVC_EMBEDDER: 'openai:none', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  return { child, said: () => said };
}

const leftBehind = async () => (await readdir(folder)).filter((name) => name.startsWith('svc-bench-'));

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  'on %s nothing is left behind',
  async (signal, code) => {
    const { child, said } = measure(['--quick', '--only', 'start']);
    await vi.waitFor(() => expect(said()).toMatch(/start against bare PGlite/), 60_000);
    expect(await leftBehind()).not.toEqual([]);
    child.kill(signal);
    expect(await once(child, 'close')).toEqual([code, null]);
    expect(await leftBehind()).toEqual([]);
  },
  120_000,
);

it('a run that fails says why and leaves nothing behind', async () => {
  // Below a file no other can be written, which shows at the end.
  const { child, said } = measure([
    '--quick',
    '--memories',
    '20',
    '--only',
    'boot',
    '--svg',
    join(PROGRAM, 'a.svg'),
  ]);
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said()).toMatch(/ENOTDIR|EEXIST/);
  expect(await leftBehind()).toEqual([]);
}, 120_000);

it('an option that is wrong is refused, and said how it should be', async () => {
  const { child, said } = measure(['--only', 'nothing']);
  expect(await once(child, 'close')).toEqual([2, null]);
  expect(said()).toContain('--only: there is no "nothing"');
  expect(said()).not.toMatch(/\n\s+at /);
}, 60_000);
