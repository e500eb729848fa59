import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeDataFolder } from '../../../testing/index.ts';

// A process of its own, as one that waits for ever does not end a test.
const FULL_LOG = fileURLToPath(new URL('full-log.fixture.ts', import.meta.url));

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-'));
  await makeDataFolder(folder);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it.each(['on', 'off'])(
  'does not wait for ever where the disk has no room for the log, and goes on when it has: sync %s',
  async (sync) => {
    const child = promisify(execFile)(
      process.execPath,
      ['--conditions=source', '--import', 'tsx', FULL_LOG, folder, sync],
      {
        timeout: 40_000,
        killSignal: 'SIGKILL',
      },
    );
    expect((await child).stdout).toBe('stopped\nworks again\nclosed\n');
  },
  50_000,
);
