import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect, test } from 'vitest';
import { type Service, startService, useFolder } from './cli.fixture.ts';

const folder = useFolder();

async function settingsOf(name: string) {
  const SVC_DATA_DIR = join(folder.path, name);
  await makeDataFolder(SVC_DATA_DIR);
  return { SVC_DATA_DIR, SVC_LOG_LEVEL: 'debug' };
}

/** Has the service log, and ends it. */
async function logAndStop(service: Service): Promise<number | string> {
  for (let count = 0; count < 5; count += 1) {
    expect((await fetch(`${service.url()}/api/v1/memories`)).status).toBe(401);
  }
  service.process.kill('SIGTERM');
  return service.ended;
}

test('a service whose log nobody reads any more answers and stops', async () => {
  const service = startService(await settingsOf('closed'));
  await service.ready();
  service.process.stderr?.destroy();
  expect(await logAndStop(service)).toBe(0);
}, 60_000);

test('a service whose log waits for a reader that has stopped answers and stops', async () => {
  const service = startService(await settingsOf('stopped'));
  await service.ready();
  service.process.stderr?.pause();
  const ask = () => fetch(`${service.url()}/api/v1/memories`).then((response) => response.text());
  // More lines than the pipe between the two takes.
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 100 }, ask));
  const exited = new Promise((resolve) => service.process.once('exit', resolve));
  service.process.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 60_000);
