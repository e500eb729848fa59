import fs from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest';

/** Bytes that the disk says are free, where it is to say something else than it would. */
let free: number | undefined;
const { statfs } = fs.promises;
Object.assign(fs.promises, {
  statfs: async (path: string) => {
    const found = await statfs(path);
    return free === undefined ? found : { ...found, bsize: 1, bavail: free };
  },
});
syncBuiltinESMExports();
// Imported only now, as they are to use the function that was replaced.
const { makeDataFolder, startTestEngine } = await import('../../../testing/index.ts');
const { openPglite } = await import('../open-database.ts');
afterAll(() => {
  Object.assign(fs.promises, { statfs });
  syncBuiltinESMExports();
});
// It is tried each second.
const REOPENED = { timeout: 15_000, interval: 50 };

let folder: string;
let logged: string[];
const log = (_: object, message: string) => logged.push(message) > 0;
beforeEach(async () => {
  logged = [];
  folder = await mkdtemp(join(tmpdir(), 'svc-'));
  await makeDataFolder(folder);
});
afterEach(async () => {
  free = undefined;
  await rm(folder, { recursive: true, force: true });
});

const logger = { debug: log, info: log, warn: log, error: log };
const open = async (options = {}) =>
  startTestEngine({ database: await openPglite(folder, { ...options, logger }) });

it.each([
  { sync: true, reopens: false },
  { sync: true, reopens: true },
  { sync: false, reopens: true },
])(
  'answers nothing after Postgres has panicked, in place of wrongly, and is opened again with all when there is room: %j',
  async ({ reopens, ...options }) => {
    const first = await open(options);
    const { tenantId, agent } = await first.tenant();
    await agent().remember({ type: 'semantic', content: 'before' });
    const { secret } = await first.engine.apiKeys.create(tenantId, { name: 'laptop', scope: 'full' });
    // A checkpoint writes a file here, and panics where it cannot, as on a full disk.
    const obstacle = join(folder, 'pg/pg_logical/replorigin_checkpoint.tmp');
    await mkdir(obstacle);
    free = 0;
    await expect(first.engine.database.build(sql`CHECKPOINT`, 1)).rejects.toThrow();
    await rmdir(obstacle);
    expect(logged).toEqual([expect.stringMatching(/database has stopped/)]);
    for (const call of [
      () => agent().recall({ query: 'before' }),
      () => agent().remember({ type: 'semantic', content: 'after' }),
      () => first.engine.apiKeys.authenticate(secret),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    if (reopens) {
      free = undefined;
      await vi.waitFor(() => agent().query({}), REOPENED);
      expect(logged.at(-1)).toMatch(/opened again/);
      await agent().remember({ type: 'semantic', content: 'again' });
      await first.engine.apiKeys.authenticate(secret);
    }
    await first.close();
    const second = await open();
    const { memories } = await second.engine.agent(tenantId).query({});
    expect(memories.map(({ content }) => content).sort()).toEqual(reopens ? ['again', 'before'] : ['before']);
    await second.close();
  },
  30_000,
);

it('begins no backup where the disk has no room for its checkpoint, and goes on', async () => {
  const kit = await open();
  const { agent } = await kit.tenant();
  const backup = () => kit.engine.database.backUp?.(join(folder, 'backups/one.zip'));
  free = 32 * 1024 * 1024 - 1;
  await expect(backup()).rejects.toMatchObject({ code: 'ENOSPC' });
  await agent().remember({ type: 'semantic', content: 'The cellar door sticks.' });
  free = undefined;
  await backup();
  expect((await readdir(join(folder, 'backups'))).sort()).toEqual(['erasures.ndjson', 'one.zip']);
  await kit.close();
});
