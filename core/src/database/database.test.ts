import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { memories } from '../memory/schema.ts';
import { startTestEngine, type TestEngine } from '../testing/index.ts';
import { rows } from './database.ts';
import { FolderInUseError, LOCK_FILE, lockFolder } from './lock.ts';
import { openPglite } from './open-pglite.ts';

/** Of people, who may belong to several tenants, and when background jobs are due. */
const OF_NO_TENANT = [
  'background_jobs',
  'embedding_models',
  'user_logins',
  'user_sessions',
  'user_verifications',
  'users',
  'wallet_challenges',
];

describe('row-level security', () => {
  let kit: TestEngine;
  let mine: string;
  let theirs: string;
  beforeAll(async () => {
    kit = await startTestEngine();
    const [one, other] = [await kit.tenant(), await kit.tenant()];
    mine = one.tenantId;
    theirs = other.tenantId;
    await one.agent().remember({ type: 'working', content: 'mine' });
    await other.agent().remember({ type: 'working', content: 'theirs' });
  });
  afterAll(() => kit.close());

  it('guards every table but those that hold no data of a tenant, also against its owner', async () => {
    const unguarded = await kit.engine.database.system((tx) =>
      rows<{ name: string }>(
        tx,
        sql`SELECT c.relname AS name FROM pg_class c
            WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
              AND NOT (c.relrowsecurity AND c.relforcerowsecurity AND EXISTS
                (SELECT FROM pg_policy p WHERE p.polrelid = c.oid))
            ORDER BY name`,
      ),
    );
    expect(unguarded.map(({ name }) => name)).toEqual(OF_NO_TENANT);
  });

  it('hides other tenants from a query that forgot its filter', async () => {
    const seen = await kit.engine.database.read(mine, (tx) => tx.select().from(memories));
    expect(seen.map(({ content }) => content)).toEqual(['mine']);
  });

  it('keeps an update and a delete that forgot their filter inside the tenant', async () => {
    await kit.engine.database.transaction(mine, (tx) => tx.update(memories).set({ importance: 1 }));
    const [other] = await kit.engine.database.read(theirs, (tx) => tx.select().from(memories));
    expect(other).toMatchObject({ content: 'theirs', importance: 0.5 });
    await expect(
      kit.engine.database.transaction(mine, async (tx) => {
        await tx.delete(memories);
        throw new Error('undo');
      }),
    ).rejects.toThrow('undo');
  });

  it('refuses a row written for another tenant', async () => {
    const forged = kit.engine.database.transaction(mine, async (tx) => {
      const [row] = await tx.select().from(memories);
      if (!row) throw new Error('no row to copy');
      await tx.insert(memories).values({ ...row, tenantId: theirs });
    });
    await expect(forged).rejects.toMatchObject({ name: 'DatabaseError', code: '42501' });
  });

  it('says nothing of the values of a failed query', async () => {
    const failed = kit.engine.database.transaction(mine, (tx) =>
      tx.execute(sql`SELECT ${'top secret'}::text::uuid`),
    );
    const error: Error = await failed.then(
      () => new Error('did not fail'),
      (caught) => caught,
    );
    expect(`${error.message}${error.stack}${JSON.stringify(error)}`).not.toContain('top secret');
    expect(error).toMatchObject({ name: 'DatabaseError', code: '22P02' });
  });
});

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
