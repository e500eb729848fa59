import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startService, useFolder } from './cli.fixture.ts';

const folder = useFolder();
const copy = useFolder();

test('a copy of the folder as a crash leaves it, damaged, is refused by a process that ends', async () => {
  await startService({ SVC_DATA_DIR: folder.path, SVC_EMBEDDED_SYNC: 'on' }).ready();
  await cp(join(folder.path, 'pg'), join(copy.path, 'pg'), { recursive: true });
  await rm(join(copy.path, 'pg/base/5'), { recursive: true });
  const refused = startService({ SVC_DATA_DIR: copy.path, SVC_EMBEDDED_SYNC: 'on' });
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toContain(`The database in ${copy.path}/pg is damaged`);
});
