import { sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import { memories } from '../../features/records/schema.ts';
import { useTestEngine } from '../../testing/engine.fixture.ts';
import { rows, type Tx } from './database.ts';
import { readingAllTenants } from './tenant-scope.ts';

/** Of people, who may belong to several tenants, and when background jobs are due. */
const OF_NO_TENANT = [
  'background_jobs',
  'embedding_models',
  'oauth_clients',
  'user_logins',
  'user_sessions',
  'user_verifications',
  'users',
  'wallet_challenges',
];

describe('row-level security', () => {
  const kit = useTestEngine();
  let mine: string;
  let theirs: string;
  beforeAll(async () => {
    const [one, other] = [await kit.tenant(), await kit.tenant()];
    mine = one.tenantId;
    theirs = other.tenantId;
    await one.agent().remember({ type: 'working', content: 'mine' });
    await other.agent().remember({ type: 'working', content: 'theirs' });
  });

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

  it('says of a full disk what to do', async () => {
    const full = kit.engine.database.transaction(mine, (tx) =>
      tx.execute(
        sql`DO $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$`,
      ),
    );
    await expect(full).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the disk of the database is full; make room on it (53100)',
    });
  });

  it('says of a disk on which Postgres may not open a file that it is the disk, and of a right that is missing nothing', async () => {
    const raised = (message: string) =>
      kit.engine.database.transaction(mine, (tx) =>
        tx.execute(
          sql.raw(
            `DO $$ BEGIN RAISE EXCEPTION '${message}' USING ERRCODE = 'insufficient_privilege'; END $$`,
          ),
        ),
      );
    await expect(raised('could not open file "base/5/1259": Read-only file system')).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: 'the disk of the database fails, is full or read-only (42501)',
    });
    await expect(raised('permission denied for table memories')).rejects.toMatchObject({
      name: 'DatabaseError',
      code: '42501',
    });
  });

  describe('opened for a reading', () => {
    const contents = async (tx: Tx) =>
      (await tx.select({ content: memories.content }).from(memories)).map(({ content }) => content).sort();
    const opening = <Seen>(work: (tx: Tx) => Promise<Seen>) => kit.engine.database.transaction(mine, work);

    it('is closed behind it, also where that fails', async () => {
      await opening(async (tx) => {
        expect(await readingAllTenants(tx, () => contents(tx))).toEqual(['mine', 'theirs']);
        expect(await contents(tx)).toEqual(['mine']);
        await expect(readingAllTenants(tx, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
        expect(await contents(tx)).toEqual(['mine']);
        const refused = tx.transaction((nested) =>
          readingAllTenants(nested, () => nested.execute(sql`SELECT 1 / 0`)),
        );
        await expect(refused).rejects.toMatchObject({ cause: { code: '22012' } });
        expect(await contents(tx)).toEqual(['mine']);
      });
    });

    it('is so for each of several readings, and closed behind the last', async () => {
      await opening(async (tx) => {
        const slow = readingAllTenants(tx, async () => {
          await contents(tx);
          await contents(tx);
          return contents(tx);
        });
        const all = await Promise.all([readingAllTenants(tx, () => contents(tx)), slow]);
        expect(all).toEqual([
          ['mine', 'theirs'],
          ['mine', 'theirs'],
        ]);
        expect(await contents(tx)).toEqual(['mine']);
        const within = await readingAllTenants(tx, async () => {
          await readingAllTenants(tx, () => contents(tx));
          return contents(tx);
        });
        expect(within).toEqual(['mine', 'theirs']);
        expect(await contents(tx)).toEqual(['mine']);
      });
    });

    it('stays open where all is', async () => {
      const seen = await kit.engine.database.system(async (tx) => {
        await readingAllTenants(tx, () => contents(tx));
        return contents(tx);
      });
      expect(seen).toEqual(['mine', 'theirs']);
    });
  });

  it('refuses a row written for another tenant', async () => {
    const forged = kit.engine.database.transaction(mine, async (tx) => {
      const [row] = await tx.select().from(memories);
      if (!row) throw new Error('no row to copy');
      await tx.insert(memories).values({ ...row, tenantId: theirs });
    });
    await expect(forged).rejects.toMatchObject({ name: 'DatabaseError', code: '42501' });
  });

  it('takes no statement after the end of its transaction, which another may run by then', async () => {
    let late: Tx | undefined;
    await kit.engine.database.transaction(mine, async (tx) => {
      late = tx;
    });
    const later = kit.engine.database.read(theirs, async () => late?.select().from(memories));
    await expect(later).rejects.toThrow();
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
