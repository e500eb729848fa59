import { join } from 'node:path';
import { makeDataFolder } from '@svc-memory/core/testing';
import { expect } from 'vitest';
import type { Service } from './cli.fixture.ts';

/** Settings of a service that logs all, on a new data folder within one. */
export async function settingsOf(folder: { readonly path: string }, name: string) {
  const SVC_DATA_DIR = join(folder.path, name);
  await makeDataFolder(SVC_DATA_DIR);
  return { SVC_DATA_DIR, SVC_LOG_LEVEL: 'debug' };
}

/** Has the service log, and ends it. */
export async function logAndStop(service: Service): Promise<number | string> {
  for (let count = 0; count < 5; count += 1) {
    expect((await fetch(`${service.url()}/api/v1/memories`)).status).toBe(401);
  }
  service.process.kill('SIGTERM');
  return service.ended;
}
