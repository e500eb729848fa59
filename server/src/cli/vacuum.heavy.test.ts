import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { startService, svc, useFolder } from './cli.fixture.ts';

const folder = useFolder();

const CANARY = 'zwergkolibri';
const DONE = {
  code: 0,
  err: '',
  out: 'What was deleted is in the tables, indexes and statistics no more.\nBackups made before hold it until they are replaced.\n',
};

test('leaves nothing of a forgotten user in the data folder, with and without a running service', async () => {
  const env = { SVC_DATA_DIR: join(folder.path, 'data'), SVC_PORT: '0' };
  await makeDataFolder(env.SVC_DATA_DIR);
  const engine = createEngine({ database: await openPglite(env.SVC_DATA_DIR) });
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  await engine.agent(id).remember({ type: 'semantic', content: `A ${CANARY}.`, user_id: 'u1' });
  await engine.agent(id).forgetUser({ user_id: 'u1' });
  await engine.close();
  const holds = async () => {
    const entries = await readdir(env.SVC_DATA_DIR, { recursive: true, withFileTypes: true });
    const files = entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));
    const found = await Promise.all(files.map(async (file) => (await readFile(file)).includes(CANARY)));
    return found.includes(true);
  };
  expect(await holds()).toBe(true);
  expect(await svc('vacuum', env)).toEqual(DONE);
  expect(await holds()).toBe(false);
  await startService(env).ready();
  expect(await svc('vacuum', env)).toEqual(DONE);
  expect(await holds()).toBe(false);
}, 120_000);
