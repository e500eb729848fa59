import { once } from 'node:events';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { connect } from '@svc-memory/core/client';
import { beforeAll, expect, test, vi } from 'vitest';
import { listenInTest } from '../../../test/kit/use-server.ts';
import { type Service, startService, svc, useFolder } from './cli.fixture.ts';

// These tests are one story on one data folder: each goes on from where the one before it ended.
const folder = useFolder();
let service: Service;
let firstKey = '';
const env = () => ({ SVC_DATA_DIR: folder.path, SVC_EMBEDDED_SYNC: 'on' });
const credentials = async () => JSON.parse(await readFile(join(folder.path, 'credentials.json'), 'utf8'));

async function restart(): Promise<Service> {
  service = startService(env());
  await service.ready();
  return service;
}

async function stop(): Promise<number | string> {
  service.process.kill('SIGTERM');
  return service.ended;
}

beforeAll(async () => {
  await restart();
});

test('the first start prints the address and an API key, and credentials.json opens the service', async () => {
  firstKey = /API key +(svc_\w{36})/.exec(service.out())?.[1] ?? '';
  expect(firstKey).not.toBe('');
  expect(await credentials()).toEqual({ api_url: service.url(), api_key: firstKey });
  const { mode } = await stat(join(folder.path, 'credentials.json'));
  expect(mode & 0o777).toBe(0o600);
  const memory = connect({ url: service.url(), apiKey: firstKey });
  await memory.remember({ type: 'working', content: 'tea is in the blue tin' });
  expect(await memory.status()).toMatchObject({ tenant: { plan: 'local' }, counts: { working: 1 } });
});

test('the first start says why it takes longer', async () => {
  expect(service.err()).toMatch(/^svc: Making a database in \S+\.\n/);
});

test('the example of the first start works as printed', async () => {
  const [, url, key, body] =
    /curl (\S+) \\\s+-H 'Authorization: Bearer (\S+)' -H 'Content-Type: application\/json' \\\s+-d '(.+)'/.exec(
      service.out(),
    ) ?? [];
  const response = await fetch(url ?? '', {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: body ?? '',
  });
  expect(response.status).toBe(201);
});

test('the link of the start signs its owner in, once', async () => {
  const link = /http\S+\/auth\/local\?token=\S+/.exec(service.out())?.[0] ?? '';
  const opened = await fetch(link, { redirect: 'manual' });
  expect([opened.status, opened.headers.get('location')]).toEqual([302, '/']);
  const cookie = opened.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const session = await fetch(`${service.url()}/api/v1/auth/session`, { headers: { Cookie: cookie } });
  expect(await session.json()).toMatchObject({ success: true, agents: [{ plan: 'local' }] });
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
  const { mode } = await stat(join(folder.path, 'secret'));
  expect(mode & 0o777).toBe(0o600);
});

test('strangers may not sign up, unless they are allowed to', async () => {
  const response = await fetch(`${service.url()}/api/v1/auth/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'a@example.com', password: 'correct horse battery', display_name: 'Ada' }),
  });
  expect(response.status).toBe(403);
});

test('the documentation is where the first start says', async () => {
  const url = /API docs +(\S+)/.exec(service.out())?.[1] ?? '';
  expect((await fetch(url)).status).toBe(200);
});

test('a second service on the same folder is refused, naming the process', async () => {
  const second = startService(env());
  expect(await second.ended).toBe(1);
  expect(second.err()).toContain(`in use by process ${service.process.pid}`);
  expect(second.err()).toContain('SVC_DATA_DIR');
  expect(second.err().trim().split('\n')).toHaveLength(1);
  expect(second.out()).toBe('');
});

test('while the service runs, status and export go over REST', async () => {
  const { out } = await svc('status', env());
  expect(out).toContain(`Service     ${service.url()}`);
  expect(out).toMatch(/Memories +2: 1 core, 1 working/);
  const exported = await svc('export', env());
  expect(JSON.parse(exported.out).memories.working[0].content).toBe('tea is in the blue tin');
});

test('while the service runs, doctor finds all well', async () => {
  const { code, out } = await svc('doctor', env());
  expect(out).toContain(`Service: answers at ${service.url()}`);
  expect(out).not.toMatch(/^[✗!]/m);
  expect(code).toBe(0);
});

test('a start right after SIGTERM waits for the last call, and finds what it stored', async () => {
  const former = service;
  const body = JSON.stringify({ type: 'semantic', content: 'written while stopping', key: 'last' });
  const call = request(`${former.url()}/api/v1/memories`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${(await credentials()).api_key}`,
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      // Told once the service has begun with the call.
      Expect: '100-continue',
    },
  });
  const answered = once(call, 'response');
  await once(call, 'continue');
  call.write(body.slice(0, 10));
  former.process.kill('SIGTERM');
  service = startService(env());
  // The new process stands in line for the folder.
  const waits = async () => (await readdir(folder.path)).some((name) => name.startsWith('svc.lock.'));
  await vi.waitUntil(waits, { timeout: 60_000, interval: 5 });
  expect(former.process.exitCode).toBeNull();
  call.end(body.slice(10));
  const [response] = await answered;
  expect(response.statusCode).toBe(201);
  response.resume();
  expect(await former.ended).toBe(0);

  await service.ready();
  const { api_url: url, api_key: apiKey } = await credentials();
  const { memories } = await connect({ url, apiKey }).query({ key: 'last' });
  expect(memories).toMatchObject([{ content: 'written while stopping' }]);
});

test('a later start prints no key, keeps the one there, and follows the address', async () => {
  expect(service.out()).not.toContain('svc_');
  expect(await credentials()).toEqual({ api_url: service.url(), api_key: firstKey });
});

test('SIGTERM stops it gracefully, logs the last call too, and frees the folder', async () => {
  await fetch(`${service.url()}/health`, { headers: { 'X-Request-Id': 'last-of-all' } });
  expect(await stop()).toBe(0);
  expect(service.err()).toContain('"request_id":"last-of-all"');
  await expect(stat(join(folder.path, 'svc.lock'))).rejects.toThrow();
});

test('secrets and content never reach the log', () => {
  expect(service.err()).toContain('"msg":"request"');
  expect(service.err()).not.toContain(firstKey);
  expect(service.err()).not.toContain('blue tin');
});

test('when it is stopped, status and export read the database', async () => {
  expect((await svc('status', env())).out).toContain('Service     stopped');
  const file = join(folder.path, 'memories.json');
  const { code, err } = await svc(`export --format json --out ${file}`, env());
  expect([code, err]).toEqual([
    0,
    `Exported the memories to ${file}.\nNot in it: what is of users (add --user "*"), spaces, schedules, keys and settings.\n`,
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ version: '1' });
});

test('a port that is taken is refused, naming the setting', async () => {
  const { port } = await listenInTest(createServer());
  const refused = startService({ ...env(), SVC_PORT: String(port) });
  expect(await refused.ended).toBe(1);
  expect(refused.err()).toMatch(/^svc: Port \d+ on 127\.0\.0\.1 .*SVC_PORT.*\n$/);
  expect(refused.out()).toBe('');
});

test('damaged credentials are replaced by a new key for the same memories', async () => {
  await writeFile(join(folder.path, 'credentials.json'), '{"api_key":');
  await chmod(join(folder.path, 'credentials.json'), 0o644);
  await restart();
  expect(service.out()).toContain('a new API key was made');
  const { api_key } = await credentials();
  expect(api_key).not.toBe(firstKey);
  expect(service.out()).toContain(api_key);
  expect((await stat(join(folder.path, 'credentials.json'))).mode & 0o777).toBe(0o600);
  const memory = connect({ url: service.url(), apiKey: api_key });
  expect((await memory.query({ type: 'working' })).memories).toHaveLength(1);
});
