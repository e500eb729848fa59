import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readCredentials, savedCredentials, writeCredentials } from './credentials.ts';

const local = { apiUrl: 'http://127.0.0.1:3000', apiKey: 'svc_local' };
let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-credentials-'));
});
afterEach(() => rm(folder, { recursive: true }));
const read = (env: Record<string, string> = {}) => readCredentials({ SVC_DATA_DIR: folder, ...env });

test("what was written is read back; the file is its owner's only and alone", async () => {
  writeCredentials(folder, { ...local, apiKey: 'svc_old' });
  writeCredentials(folder, local);
  expect(read()).toEqual(local);
  expect((await stat(join(folder, 'credentials.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['credentials.json']);
});

test('a folder without the file, or no folder, gives none', async () => {
  expect(read()).toBeUndefined();
  expect(savedCredentials(join(folder, 'nowhere'))).toBeUndefined();
});

test.each([
  '',
  '{',
  '[]',
  '{"api_key":"svc_x"}',
  '{"api_url":"here","api_key":"svc_x"}',
  '{"api_url":"http://127.0.0.1:3000","api_key":"svc_\\nx"}',
])('the content %j is told as damaged', async (content) => {
  await writeFile(join(folder, 'credentials.json'), content);
  expect(() => read()).toThrow(/credentials.json is damaged.*Delete it/);
});

test('a folder in its place is told in words by who reads it and who writes it', async () => {
  await mkdir(join(folder, 'credentials.json'));
  expect(() => read()).toThrow(/credentials.json is a folder\. Move it away/);
  expect(() => writeCredentials(folder, local)).toThrow(
    /credentials.json cannot be written: there is a folder/,
  );
  expect(await readdir(folder)).toEqual(['credentials.json']);
});

test('SVC_API_KEY and SVC_API_URL go before the file, even a damaged one', async () => {
  await writeFile(join(folder, 'credentials.json'), '{');
  const env = { SVC_API_KEY: 'svc_env', SVC_API_URL: 'https://memory.example.com/' };
  expect(read(env)).toEqual({ apiUrl: 'https://memory.example.com', apiKey: 'svc_env' });
});

test('SVC_API_KEY alone goes to the service on this machine', async () => {
  expect(read({ SVC_API_KEY: 'svc_env' })).toEqual({
    apiUrl: 'http://127.0.0.1:3000',
    apiKey: 'svc_env',
  });
  writeCredentials(folder, { ...local, apiUrl: 'http://127.0.0.1:4000' });
  expect(read({ SVC_API_KEY: 'svc_env' })).toEqual({
    apiUrl: 'http://127.0.0.1:4000',
    apiKey: 'svc_env',
  });
});

test('the key of this machine is never sent to another address', async () => {
  writeCredentials(folder, local);
  expect(() => read({ SVC_API_URL: 'https://memory.example.com' })).toThrow(/Set SVC_API_KEY too/);
  expect(read({ SVC_API_URL: 'http://127.0.0.1:3000/' })).toEqual(local);
});
