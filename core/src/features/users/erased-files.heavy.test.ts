import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, expect, it, vi } from 'vitest';
import { createEngine, type Engine } from '../../app/engine.ts';
import { openPglite, openPostgres } from '../../index.ts';
import { EMPTY_LOG } from '../../kernel/database/data-folder/empty-log.ts';
import { rows } from '../../kernel/database/database.ts';
import { createTestDatabase, makeDataFolder } from '../../testing/index.ts';

// Other tests write to the same server.
const CANARY = `kolibri${crypto.randomUUID().replaceAll('-', '')}`;
const USER = `ada-${crypto.randomUUID()}`;
const closing: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const close of closing.reverse()) await close();
});

/** The files of a folder that hold a word of the user's, whatever is in them. */
async function filesWith(folder: string): Promise<string[]> {
  const search = promisify(execFile)('grep', ['-rlaiE', `${CANARY}|${USER}`, folder]);
  // It ends with 1 where there is none, and with 2 where a file went away meanwhile.
  const { stdout } = await search.catch((error: { stdout: string }) => error);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Goes on in new files of the log, and has the database keep those before for reuse, as it does in hours of work. */
async function goOn({ database }: Engine) {
  for (let files = 0; files < 6; files += 1) {
    await database.accounts.execute(`SELECT pg_logical_emit_message(true, 'work', 'goes on')`);
    await database.accounts.execute('SELECT pg_switch_wal()');
  }
  await database.accounts.execute('CHECKPOINT');
}

/** Stores a user's things in every way, changed and deleted ones among them, and something that stays. */
async function live(engine: Engine) {
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  const agent = engine.agent(id);
  await goOn(engine);
  const about = { user_id: USER, type: 'semantic' } as const;
  for (let n = 0; n < 60; n += 1) {
    const content = `The ${CANARY} number ${n} sings ${'la '.repeat(n * 20)}.`;
    const { memory } = await agent.remember({ ...about, content, tags: [CANARY], metadata: { pet: CANARY } });
    if (n % 5 === 0) await agent.update({ id: memory.id, content: `The ${CANARY} is tired.`, user_id: USER });
    if (n % 7 === 0) await agent.forget({ id: memory.id, user_id: USER });
  }
  await agent.recall({ query: `where is the ${CANARY}?`, user_id: USER });
  await agent.createWipItem({ title: `Feed the ${CANARY}`, user_id: USER });
  await agent.createScheduleItem({ title: `Vet for the ${CANARY}`, due_at: '2026-03-02', user_id: USER });
  await agent.compaction({ phase: 'pre', session_id: 's', transcript: `user: my ${CANARY}`, user_id: USER });
  await agent.import({ files: [{ name: 'a.md', content: `# ${CANARY}\n\nIt sings.` }], user_id: USER });
  await engine.background.run('jobs.work');
  await agent.remember({ type: 'semantic', content: 'The gate opens at nine.' });
  // The statistics hold the user's words then, also of tables in which nothing stays of anybody.
  await engine.database.accounts.execute('ANALYZE');
  await goOn(engine);
  return agent;
}

it('leaves no word of a forgotten user in the files of the embedded database after a vacuum, its log included', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-erased-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  await makeDataFolder(folder);
  const engine = createEngine({ database: await openPglite(folder) });
  const agent = await live(engine);
  await agent.forgetUser({ user_id: USER });
  // It shows that the search finds what is there.
  expect((await filesWith(folder)).length).toBeGreaterThan(0);
  expect(await engine.database.vacuum()).toEqual({ logEmptied: true });
  expect(await filesWith(folder)).toEqual([]);
  expect((await agent.recall({ query: 'when does the gate open?' })).results).toHaveLength(1);
  await engine.close();
  expect(await filesWith(folder)).toEqual([]);
  const again = createEngine({ database: await openPglite(folder) });
  closing.push(() => again.close());
  expect(await again.tenants.list()).toHaveLength(1);
}, 300_000);

// biome-ignore lint/style/noProcessEnv: a server whose files can be read.
const { SVC_TEST_DATABASE_URL: server, SVC_TEST_POSTGRES_DATA: folder } = process.env;

it.runIf(server !== undefined && folder !== undefined)(
  'leaves no word of a forgotten user in the files of Postgres after a vacuum, and what its administrator does',
  async () => {
    const { url, drop } = await createTestDatabase(server ?? '');
    closing.push(drop);
    const engine = createEngine({ database: await openPostgres({ url }) });
    closing.push(() => engine.close());
    const agent = await live(engine);
    const { accounts } = engine.database;
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await reader.query('SELECT 1');
    await agent.forgetUser({ user_id: USER });
    expect((await filesWith(folder ?? '')).length).toBeGreaterThan(0);
    const vacuumed = engine.database.vacuum();
    // It looks at the locks until the reader ends, which still sees what is deleted.
    const waiting = sql`SELECT FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE '%virtualxid%' AND query NOT LIKE '%NOT LIKE%'`;
    const isWaiting = vi.waitFor(async () => expect(await rows(accounts, waiting)).not.toEqual([]), 60_000);
    await Promise.race([vacuumed, isWaiting]);
    await reader.end();
    expect(await vacuumed).toEqual({ logEmptied: false });
    const left = await filesWith(folder ?? '');
    expect(left.filter((path) => !path.includes('/pg_wal/'))).toEqual([]);
    for (const statement of EMPTY_LOG) await accounts.execute(statement);
    expect(await filesWith(folder ?? '')).toEqual([]);
  },
  300_000,
);
