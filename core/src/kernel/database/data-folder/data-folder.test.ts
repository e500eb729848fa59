import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeDataFolder, startTestEngine } from '../../../testing/index.ts';
import { rows } from '../database.ts';
import { openPglite } from '../open-database.ts';
import { FolderInUseError, LOCK_FILE, lockFolder } from './folder-lock.ts';
import { prepareFolder } from './folder-state.ts';

const HOUR_MS = 3_600_000;

describe('data folder', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('keeps what was written for the next start, and is free again after closing', async () => {
    await makeDataFolder(folder);
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

  it('has its row-level security completed by the next start, where a process died before that', async () => {
    await makeDataFolder(folder);
    const first = await openPglite(folder);
    await first.accounts.execute(sql`DROP POLICY own_tenants ON memories`);
    await first.accounts.execute(sql`ALTER TABLE events NO FORCE ROW LEVEL SECURITY`);
    await first.accounts.execute(sql`ALTER TABLE recalls DISABLE ROW LEVEL SECURITY`);
    await first.accounts.execute(sql`REVOKE DELETE ON memories FROM svc_app`);
    await first.close();
    const again = await openPglite(folder);
    const kit = await startTestEngine({ database: again });
    const [one, other] = [await kit.tenant(), await kit.tenant()];
    const { memory } = await one.agent().remember({ type: 'working', content: 'mine' });
    const everything = (tenantId: string) =>
      again.transaction(tenantId, (tx) => rows<{ id: string }>(tx, sql`DELETE FROM memories RETURNING id`));
    expect(await everything(other.tenantId)).toEqual([]);
    expect(await everything(one.tenantId)).toEqual([{ id: memory.id }]);
    const unsecured = await again.system((tx) =>
      rows(
        tx,
        sql`SELECT relname FROM pg_class WHERE relname IN ('events', 'recalls') AND NOT (relrowsecurity AND relforcerowsecurity)`,
      ),
    );
    expect(unsecured).toEqual([]);
    await kit.close();
  });

  it('is written with syncs, and with whole pages after a checkpoint', async () => {
    await makeDataFolder(folder);
    const database = await openPglite(folder);
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'wal_sync_method', 'data_checksums'];
    const found = await database.system((tx) =>
      rows<{ name: string; setting: string }>(
        tx,
        sql`SELECT name, setting FROM pg_settings WHERE name IN ${settings} ORDER BY name`,
      ),
    );
    expect(found.map(({ name, setting }) => `${name} ${setting}`)).toEqual([
      'data_checksums on',
      'fsync on',
      'full_page_writes on',
      'synchronous_commit on',
      'wal_sync_method fsync',
    ]);
    await database.close();
  });

  it('may be written without syncs, and is synced whole by the next start with them', async () => {
    await makeDataFolder(folder);
    const state = () => readFile(join(folder, 'pg', 'svc.state'), 'utf8');
    for (const [sync, left] of [
      [false, 'unsynced'],
      [true, 'synced'],
      [false, 'unsynced'],
    ] as const) {
      await (await openPglite(folder, { sync })).close();
      expect(await state()).toBe(left);
    }
  });

  it('is made anew when its first start was cut off', async () => {
    await mkdir(join(folder, 'pg'));
    await writeFile(join(folder, 'pg', 'svc.state'), 'making');
    await writeFile(join(folder, 'pg', 'PG_VERSION'), '1');
    const database = await openPglite(folder, { sync: false });
    await database.ping();
    await database.close();
    expect(await readFile(join(folder, 'pg', 'svc.state'), 'utf8')).toBe('unsynced');
  });

  it('is made anew when its first start was cut off while it noted that', async () => {
    await mkdir(join(folder, 'pg'));
    await writeFile(join(folder, 'pg', 'svc.state.new'), 'mak');
    expect(await prepareFolder(join(folder, 'pg'), { sync: false })).toBe('making');
    expect(await readdir(join(folder, 'pg'))).toEqual(['svc.state']);
  });

  it('is made where a link leads to, so that it may be on another disk', async () => {
    await mkdir(join(folder, 'disk'), { mode: 0o755 });
    await symlink(join(folder, 'disk'), join(folder, 'pg'));
    expect(await prepareFolder(join(folder, 'pg'), { sync: false })).toBe('making');
    expect((await lstat(join(folder, 'pg'))).isSymbolicLink()).toBe(true);
    expect(await readdir(join(folder, 'disk'))).toEqual(['svc.state']);
    expect((await stat(join(folder, 'disk'))).mode & 0o777).toBe(0o700);
  });

  it('is not made anew where a link leads to nothing, as to a disk that is not mounted', async () => {
    await symlink(join(folder, 'disk', 'pg'), join(folder, 'pg'));
    await expect(openPglite(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    expect((await lstat(join(folder, 'pg'))).isSymbolicLink()).toBe(true);
    expect(await readdir(folder)).toEqual(['pg']);
  });

  it('is left as it is when a part of it is missing', async () => {
    await mkdir(join(folder, 'pg', 'base'), { recursive: true });
    await expect(openPglite(folder)).rejects.toThrow('PG_VERSION is missing');
    expect(await readdir(folder, { recursive: true })).toEqual(['pg', join('pg', 'base')]);
  });

  // The superuser may write everywhere.
  it.skipIf(process.getuid?.() === 0)(
    'is told from a damaged one where this user may not write it',
    async () => {
      await makeDataFolder(folder);
      await chmod(join(folder, 'pg'), 0o500);
      await expect(openPglite(folder)).rejects.toMatchObject({ code: 'EACCES' });
      await chmod(join(folder, 'pg'), 0o700);
    },
  );

  const AT_ONCE = { patienceMs: 0 };

  it('refuses a second opener, naming the first', async () => {
    const lock = await lockFolder(folder);
    const refused = lockFolder(folder, AT_ONCE);
    await expect(refused).rejects.toThrow(FolderInUseError);
    await expect(refused).rejects.toThrow(
      `process ${process.pid} on ${hostname()}. That is this process: use`,
    );
    await lock.release();
    await (await lockFolder(folder, AT_ONCE)).release();
  });

  it('is held no more where it was moved and another process has one of its name', async () => {
    const place = join(folder, 'place');
    await mkdir(place);
    const first = await lockFolder(place, AT_ONCE);
    expect(await first.isHeld()).toBe(true);
    await rename(place, join(folder, 'moved'));
    await mkdir(place);
    const second = await lockFolder(place, AT_ONCE);
    await first.release();
    expect([await first.isHeld(), await second.isHeld()]).toEqual([false, true]);
  });

  it('waits for a holder that is about to end, and lets one of those who wait in', async () => {
    const first = await lockFolder(folder);
    const waiting = Array.from({ length: 3 }, () => lockFolder(folder, { patienceMs: 1_000 }));
    const settled = Promise.allSettled(waiting);
    await first.release();
    expect((await settled).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it.runIf(process.platform === 'linux')('is not held by a zombie', async () => {
    // The child of a shell that became `sleep`, which never asks for its exit code.
    const parent = spawn('sh', ['-c', 'sleep 1 & echo $!; exec sleep 60']);
    try {
      const [printed] = await once(parent.stdout, 'data');
      const pid = Number(String(printed));
      const status = () => readFile(`/proc/${pid}/stat`, 'utf8');
      await vi.waitFor(async () => expect(await status()).toContain(') Z '), { timeout: 10_000 });
      const started = (await status()).split(') ')[1]?.split(' ')[19];
      for (const start of [started, null]) {
        const owner = { pid, started: start, host: hostname(), token: `zombie ${start}` };
        await writeFile(join(folder, LOCK_FILE), JSON.stringify(owner));
        await (await lockFolder(folder, AT_ONCE)).release();
      }
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('lets exactly one of many openers in', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, AT_ONCE)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  const deadPid = () => spawnSync(process.execPath, ['-e', '']).pid;

  it.each([
    ['of a process that is gone', () => ({ pid: deadPid(), started: null })],
    [
      'of a process whose pid was given to another',
      () => ({ pid: process.pid, started: '1', platform: process.platform }),
    ],
  ])('takes over the lock %s, once', async (_, owner) => {
    const stale = { ...owner(), host: hostname(), token: 'stale' };
    await writeFile(join(folder, LOCK_FILE), JSON.stringify(stale));
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => lockFolder(folder, AT_ONCE)));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const holder = JSON.parse(await readFile(join(folder, LOCK_FILE), 'utf8'));
    expect(holder.pid).toBe(process.pid);
    expect(await readdir(folder)).toEqual([LOCK_FILE]);
  });

  it.skipIf(process.platform === 'win32')(
    'takes over the lock of a process whose pid was given to one of another user',
    async () => {
      // The superuser becomes somebody who may not send a signal to what somebody else has started.
      const isRoot = process.geteuid?.() === 0;
      const [me, another] = [65_533, 65_534];
      const other = isRoot ? spawn('sleep', ['60'], { uid: another }) : undefined;
      const stale = { pid: other?.pid ?? 1, started: '1', host: hostname(), token: 'stale' };
      await writeFile(join(folder, LOCK_FILE), JSON.stringify(stale));
      if (isRoot) await chown(folder, me, me);
      try {
        if (isRoot) process.seteuid?.(me);
        expect(() => process.kill(stale.pid, 0)).toThrow('EPERM');
        await (await lockFolder(folder, AT_ONCE)).release();
      } finally {
        if (isRoot) process.seteuid?.(0);
        other?.kill('SIGKILL');
      }
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('takes over a torn lock file', async () => {
    await writeFile(join(folder, LOCK_FILE), '{"pid":');
    await (await lockFolder(folder)).release();
    expect(await readdir(folder)).toEqual([]);
  });

  describe('whose lock is of a process that cannot be seen from here', () => {
    const gone = { pid: deadPid(), started: null, token: 'other' };
    const write = (owner: object) => writeFile(join(folder, LOCK_FILE), JSON.stringify(owner));
    const QUICK = { patienceMs: 0, heartbeatMs: 20 };

    it.each([
      ['on another host', { host: 'elsewhere', namespace: null }],
      [
        'in another container of the same host name',
        { host: hostname(), namespace: 'pid:[1]', platform: 'linux' },
      ],
      ['with the pid of this process on another host', { host: 'elsewhere', pid: process.pid }],
      ['on another system of this machine, as Windows beside WSL', { host: hostname(), platform: 'aix' }],
    ])('is refused %s', async (_, place) => {
      const owner = { ...gone, ...place };
      await write(owner);
      await expect(lockFolder(folder, AT_ONCE)).rejects.toThrow(
        `process ${owner.pid} on ${owner.host}. Stop that process`,
      );
    });

    it.runIf(process.platform === 'linux')(
      'is refused while that one listens in the folder, however long it is silent, and taken over once it is killed',
      async () => {
        const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
        const listen = `require('net').createServer().listen(process.argv[1], () => console.log('listens'))`;
        const other = spawn(process.execPath, ['-e', listen, `./${LOCK_FILE}.other.sock`], { cwd: folder });
        await once(other.stdout, 'data');
        await write({ ...gone, host: hostname(), namespace: 'pid:[1]', boot });
        utimesSync(join(folder, LOCK_FILE), new Date(0), new Date(0));
        await expect(lockFolder(folder, QUICK)).rejects.toThrow(FolderInUseError);
        other.kill('SIGKILL');
        await once(other, 'exit');
        utimesSync(join(folder, LOCK_FILE), new Date(), new Date());
        await (await lockFolder(folder, QUICK)).release();
        expect(await readdir(folder)).toEqual([]);
      },
    );

    it.each<readonly [string, number, string, string | undefined]>([
      ['behind', -HOUR_MS, 'elsewhere', undefined],
      ['ahead', HOUR_MS, 'elsewhere', undefined],
      // Other systems do not tell one boot from another.
      ...(process.platform === 'linux'
        ? ([['right, of another host of this name', 0, hostname(), 'another']] as const)
        : []),
    ])(
      'is refused while it beats by a clock that is %s, and taken over when it beats no more',
      async (_, off, host, boot) => {
        const file = join(folder, LOCK_FILE);
        await write({ ...gone, host, ...(boot !== undefined && { boot }) });
        const beat = () => {
          const time = new Date(Date.now() + off);
          utimesSync(file, time, time);
        };
        beat();
        const beating = setInterval(beat, 1);
        await expect(lockFolder(folder, QUICK)).rejects.toThrow(`on ${host}`);
        clearInterval(beating);
        await (await lockFolder(folder, QUICK)).release();
      },
    );
  });
});
