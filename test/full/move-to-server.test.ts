import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type Engine, openPglite, openPostgres } from '@svc-memory/core';
import type { AgentMemory } from '@svc-memory/core/contract';
import { copyDatabase } from '@svc-memory/core/server';
import { queryPostgres, startTestEngine } from '@svc-memory/core/testing';
import { sql } from 'drizzle-orm';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { rows } from '../../core/src/kernel/database/database.ts';
import { svc, useFolder } from '../../server/src/cli/cli.fixture.ts';
import { emptyDatabase } from './postgres.fixture.ts';

const folder = useFolder();
const at = (name: string) => join(folder.path, name);
const SECRET = 'the-secret-of-this-service-long-enough';

/** All that an agent may have: users, a space, versions, archived and superseded memories, what waits, dates, work, an endpoint. */
async function fill(engine: Engine): Promise<string> {
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  const memory = engine.agent(id);
  await memory.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
  await memory.remember({ type: 'semantic', key: 'freeze', importance: 0.1 + 0.2, content: 'Until June.' });
  await memory.remember({ type: 'semantic', key: 'freeze', content: 'Until “July”, \\ and \u{1F511}.' });
  await memory.remember({
    type: 'semantic',
    content: 'Maya lives in Berlin.',
    metadata: { a: [1e21, null] },
  });
  await memory.remember({ type: 'semantic', content: 'Maya moved to Hamburg.' });
  const { memory: gone } = await memory.remember({
    type: 'episodic',
    content: 'Shipped 2.4.',
    tags: ['x,"y"'],
  });
  await memory.forget({ id: gone.id });
  await memory.remember({ type: 'semantic', content: 'Ulla likes tea.', user_id: 'ulla' });
  await memory.remember({ type: 'semantic', content: 'Bo likes beer.', user_id: 'bo' });
  const { space } = await memory.createSpace({ name: 'Team' });
  await memory.remember({ type: 'semantic', content: 'The team ships on Tuesdays.', space_id: space.id });
  await memory.createScheduleItem({ title: 'Standup', due_at: '2030-12-05T09:00:00Z', user_id: 'ulla' });
  await memory.createWipItem({ title: 'Port the parser' });
  const transcript = [{ role: 'user', content: 'The rollback script lives in ops.' } as const];
  await memory.compaction({ session_id: 's', transcript });
  return id;
}

let tenantId = '';
let receipt: Awaited<ReturnType<AgentMemory['forgetUser']>>['receipt'];

beforeAll(async () => {
  await mkdir(at('data'));
  await writeFile(at('data/secret'), `${SECRET}\n`, { mode: 0o600 });
  const engine = createEngine({ database: await openPglite(at('data'), { sync: false }) });
  tenantId = await fill(engine);
  await engine.apiKeys.create(tenantId, { name: 'laptop', scope: 'full' });
  await engine.database.backUp?.(at('memories.zip'));
  // The log beside a backup tells what was erased after it.
  await engine.database.backUp?.(at('data/backups/before.zip'));
  ({ receipt } = await engine.agent(tenantId).forgetUser({ user_id: 'bo' }));
  await engine.close();
});

async function newServer(): Promise<string> {
  const { url, drop } = await emptyDatabase();
  onTestFinished(async () => void (await drop()));
  return url;
}

/** The environment of a service on a database server, with a data folder of its own. */
function on(url: string, name: string) {
  return { SVC_DATABASE_URL: url, SVC_DATA_DIR: at(name) };
}

const exportOf = async (env: Readonly<Record<string, string>>) =>
  (await svc('export --user *', env)).out.replace(/"exported_at":"[^"]+"/, '');

test('a copied database has every row of every table as it was', async () => {
  const kit = await startTestEngine();
  onTestFinished(() => kit.close());
  const memory = kit.engine.agent(await fill(kit.engine));
  const memories = Array.from(
    { length: 50 },
    (_, n) => ({ type: 'episodic', content: `Day ${n}.` }) as const,
  );
  // More rows of a table than are read at once.
  for (let batch = 0; batch < 12; batch += 1) await memory.rememberBatch({ memories });
  const url = await newServer();
  const database = await openPostgres({ url });
  onTestFinished(() => database.close());
  const names = await kit.engine.database.system((tx) =>
    rows<{ name: string }>(
      tx,
      sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
    ),
  );
  const textOf = (name: string) =>
    `SELECT coalesce(string_agg(row, E'\\n' ORDER BY row COLLATE "C"), '') AS text
     FROM (SELECT row_to_json(t)::text AS row FROM "${name}" t) AS all_rows`;
  const read = (name: string) =>
    kit.engine.database.system((tx) => rows<{ text: string }>(tx, sql.raw(textOf(name))));
  const before = new Map<string, string | undefined>();
  for (const { name } of names) before.set(name, (await read(name))[0]?.text);
  await copyDatabase(kit.engine.database, database);
  for (const { name } of names) {
    const [copied] = await queryPostgres(url, textOf(name));
    expect([name, Object(copied).text]).toEqual([name, before.get(name)]);
  }
  expect([...before.values()].filter(Boolean).length).toBeGreaterThan(15);
  await expect(copyDatabase(kit.engine.database, database)).rejects.toThrow('holds data already');
});

test('a backup moves to a database server, where everything is as it was', async () => {
  const env = on(await newServer(), 'moved');
  const { code, out, err } = await svc(`restore ${at('memories.zip')}`, env);
  expect([code, err]).toEqual([0, '']);
  expect(out).toContain('API keys are valid there');
  await svc(`restore ${at('memories.zip')}`, { SVC_DATA_DIR: at('embedded') });
  expect(await exportOf(env)).toBe(await exportOf({ SVC_DATA_DIR: at('embedded') }));
  expect(await exportOf(env)).toContain('Bo likes beer.');
  expect((await svc('recall when does the team ship', env)).out).toContain('on Tuesdays');
  expect((await svc('keys list', env)).out).toMatch(/laptop .* active/);
  expect((await svc('audit verify', env)).code).toBe(0);
  const acts = (await svc('audit export', env)).out.match(/"act":"backup\.restored"/g);
  expect(acts).toHaveLength(1);
  expect(await readdir(at('moved'))).toEqual(['secret']);
  expect(await readFile(at('moved/secret'), 'utf8')).toBe(`${SECRET}\n`);
});

test.each([
  ['beside the backup', 'data/backups/before.zip', 'erased'],
  ['in the data folder', 'memories.zip', 'data'],
])(
  'what was erased after a backup stays erased on the server, with its receipt, as the log %s tells',
  async (_, backup, name) => {
    const url = await newServer();
    const env = on(url, name);
    const { code, out } = await svc(`restore ${at(backup)}`, env);
    expect([code, out]).toEqual([0, expect.not.stringContaining('they are back')]);
    const text = await exportOf(env);
    expect(text).toContain('Ulla likes tea.');
    expect(text).not.toContain('Bo likes beer.');
    const engine = createEngine({ database: await openPostgres({ url }) });
    onTestFinished(() => engine.close());
    const { erasure } = await engine.agent(tenantId).erasure({ id: receipt.id });
    expect({ user_id: 'bo', ...erasure }).toEqual(receipt);
  },
);

test('a database that holds data is left as it is', async () => {
  const url = await newServer();
  const env = on(url, 'taken');
  expect((await svc('keys create --new-tenant Bert', env)).code).toBe(0);
  const { code, err } = await svc(`restore ${at('memories.zip')}`, { ...env, SVC_SECRET: SECRET });
  expect([code, err]).toEqual([1, expect.any(String)]);
  expect(err).toMatch(/holds data already \(\w+\)\.\n {5}Nothing was changed there/);
  expect(await queryPostgres(url, 'SELECT display_name FROM tenants')).toEqual([{ display_name: 'Bert' }]);
});

test('a service with another secret takes no backup', async () => {
  const url = await newServer();
  const env = { ...on(url, 'other'), SVC_SECRET: 'x'.repeat(32) };
  const { code, err } = await svc(`restore ${at('memories.zip')}`, env);
  expect(code).toBe(1);
  expect(err).toContain(`Set SVC_SECRET to that of the backup: unzip -p ${at('memories.zip')} secret`);
  expect(err).not.toContain(SECRET);
  expect(await readdir(at('other'))).toEqual([]);
});
