import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
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

test.skipIf(!existsSync('/dev/full'))(
  'with its log on a full disk a service answers and stops',
  async () => {
    const full = await open('/dev/full', 'w');
    const service = startService(await settingsOf('full'), [], full.fd);
    await full.close();
    await service.ready();
    expect(await logAndStop(service)).toBe(0);
  },
  60_000,
);
