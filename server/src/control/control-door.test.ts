import { once } from 'node:events';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
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

test('a door closes beside a connection that asks nothing', async () => {
  const folder = await temporaryFolder();
  const close = await openControlDoor(folder, {});
  const { port } = JSON.parse(await readFile(join(folder, 'control.json'), 'utf8'));
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  // Taken before this one.
  await fetch(`http://127.0.0.1:${port}/`);
  const ended = once(socket, 'close');
  await close();
  await ended;
});
