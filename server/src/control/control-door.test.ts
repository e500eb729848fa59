import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../../../test/kit/process.ts';
import { openControlDoor } from './control-door.ts';

cleanUp();

test('a door whose file cannot be removed, as on a disk that has become read-only, listens no more', async () => {
  const folder = await temporaryFolder();
  const close = await openControlDoor(folder, {});
  const file = join(folder, 'control.json');
  const { port } = JSON.parse(await readFile(file, 'utf8'));
  await rm(file);
  await mkdir(file);
  await expect(close()).rejects.toThrow();
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
});
