import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { factsOfPs } from './process-facts.ts';

const hasPs = existsSync('/bin/ps') || existsSync('/usr/bin/ps');

it.runIf(hasPs)(
  'ps tells when a process was started, alike each time, and of one that is gone nothing',
  async () => {
    const { started, ended } = (await factsOfPs(process.pid)) ?? {};
    expect(ended).toBe(false);
    const age = Date.now() - Date.parse(`${started} UTC`);
    expect(Math.abs(age - 1_000 * process.uptime())).toBeLessThan(3_000);
    expect(await factsOfPs(process.pid)).toEqual({ started, ended });
    expect(await factsOfPs(spawnSync(process.execPath, ['-e', '']).pid)).toBeUndefined();
  },
);

it.runIf(hasPs)('ps tells a zombie from a process that runs', async () => {
  // The child of a shell that became `sleep`, which never asks for its exit code.
  const parent = spawn('sh', ['-c', 'sleep 0.1 & echo $!; exec sleep 60']);
  try {
    const pid = Number(String((await once(parent.stdout, 'data'))[0]));
    await vi.waitFor(async () => expect((await factsOfPs(pid))?.ended).toBe(true), { timeout: 10_000 });
  } finally {
    parent.kill('SIGKILL');
  }
});
