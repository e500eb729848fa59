import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SECRET_FILE, serviceSecret } from './service-secret.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-secret-'));
});
afterAll(() => rm(folder, { recursive: true }));

it('is made once, readable by its owner only, and is the same after a restart', async () => {
  const dataDir = join(folder, 'new', 'folder');
  const both = await Promise.all([
    serviceSecret({ secret: undefined, dataDir }),
    serviceSecret({ secret: undefined, dataDir }),
  ]);
  expect(both[0]).toMatch(/^[\w-]{43}$/);
  expect(both[1]).toBe(both[0]);
  expect(await readFile(join(dataDir, SECRET_FILE), 'utf8')).toBe(`${both[0]}\n`);
  expect((await stat(join(dataDir, SECRET_FILE))).mode & 0o777).toBe(0o600);
});

it('is what SVC_SECRET says where it is set', async () => {
  const dataDir = join(folder, 'unused');
  expect(await serviceSecret({ secret: 'given', dataDir })).toBe('given');
  await expect(stat(dataDir)).rejects.toThrow();
});

it('that was cut short is refused, naming the fix', async () => {
  await writeFile(join(folder, SECRET_FILE), 'short');
  await expect(serviceSecret({ secret: undefined, dataDir: folder })).rejects.toThrow(
    'Delete it, or set SVC_SECRET',
  );
});

it('that can be kept nowhere must be given', async () => {
  const dataDir = join(folder, 'file');
  await writeFile(dataDir, '');
  await expect(serviceSecret({ secret: undefined, dataDir })).rejects.toThrow(
    /SVC_SECRET must be set .*\(\w+\)/,
  );
});
