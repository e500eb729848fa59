import { expect, test } from 'vitest';
import { startService, useFolder } from './cli.fixture.ts';
import { logAndStop, settingsOf } from './serve-log.fixture.ts';

const folder = useFolder();

test('a service whose log nobody reads any more answers and stops', async () => {
  const service = startService(await settingsOf(folder, 'closed'));
  await service.ready();
  service.process.stderr?.destroy();
  expect(await logAndStop(service)).toBe(0);
}, 60_000);

test('a service whose log waits for a reader that has stopped answers and stops', async () => {
  const service = startService(await settingsOf(folder, 'stopped'));
  await service.ready();
  service.process.stderr?.pause();
  const ask = () => fetch(`${service.url()}/api/v1/memories`).then((response) => response.text());
  // More lines than the pipe between the two takes.
  for (let round = 0; round < 20; round += 1) await Promise.all(Array.from({ length: 100 }, ask));
  const exited = new Promise((resolve) => service.process.once('exit', resolve));
  service.process.kill('SIGTERM');
  expect(await exited).toBe(0);
}, 60_000);
