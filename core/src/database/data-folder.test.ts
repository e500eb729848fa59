import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestEngine } from '../testing/index.ts';
import { FolderInUseError, LOCK_FILE, lockFolder } from './lock.ts';
import { openPglite } from './open-pglite.ts';

describe('data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps what was written for the next start, and is free again after closing', async () => {
    const first = await startTestEngine({ database: await openPglite(folder) });
    const { tenantId, agent } = await first.tenant();
    await agent().remember({ type: 'semantic', content: 'still here' });
    await first.close();
    expect(await readdir(folder)).toEqual(['pg']);
    const second = await startTestEngine({ database: await openPglite(folder) });
    const { memories } = await second.engine.agent(tenantId).query({});
    expect(memories.map(({ content }) => content)).toEqual(['still here']);
    await second.close();
  });

  it('refuses a second opener, naming the first', async () => {
    const lock = await lockFolder(folder);
    const refused = openPglite(folder);
    await expect(refused).rejects.toThrow(FolderInUseError);
    await expect(refused).rejects.toThrow(`process ${process.pid}`);
    await lock.release();
    await (await lockFolder(folder)).release();
  });

  it('lets exactly one of many openers in', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

  it.each([
    ['of a process that is gone', () => ({ pid: deadPid(), started: null })],
    ['of a process whose pid was given to another', () => ({ pid: process.pid, started: '1' })],
  ])('takes over the lock %s, once', async (_, owner) => {
    const stale = { ...owner(), host: hostname(), token: 'stale' };
    await writeFile(join(folder, LOCK_FILE), JSON.stringify(stale));
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const holder = JSON.parse(await readFile(join(folder, LOCK_FILE), 'utf8'));
    expect(holder.pid).toBe(process.pid);
    expect(await readdir(folder)).toEqual([LOCK_FILE]);
  });

  it('takes over a torn lock file', async () => {
    await writeFile(join(folder, LOCK_FILE), '{"pid":');
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('respects a recent lock of another host', async () => {
    const elsewhere = { pid: 1, started: null, host: 'elsewhere', token: 'other' };
    await writeFile(join(folder, LOCK_FILE), JSON.stringify(elsewhere));
    await expect(lockFolder(folder)).rejects.toThrow('on elsewhere');
  });
});
