import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { startService, useFolder } from './cli.fixture.ts';

const folder = useFolder();

test('a damaged folder is refused by a process that ends', async () => {
  await makeDataFolder(folder.path);
  await rm(join(folder.path, 'pg/base/5'), { recursive: true });
  const refused = startService({ SVC_DATA_DIR: folder.path, SVC_EMBEDDED_SYNC: 'on' });
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toContain(`The database in ${folder.path}/pg is damaged`);
});
