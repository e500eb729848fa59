import { join } from 'node:path';
import { connect } from '@svc-memory/core/client';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll, expect } from 'vitest';
import { type Service, startService, useFolder } from './cli.fixture.ts';

/** A service that runs during the tests of a file, for commands beside it. */
export function useRunningService() {
  const folder = useFolder();
  let service: Service;
  const dataDir = () => join(folder.path, 'running');
  /** The settings of commands beside it. */
  const env = () => ({ SVC_DATA_DIR: dataDir(), SVC_RATE_LIMIT: '0' });
  beforeAll(async () => {
    await makeDataFolder(dataDir());
    service = startService(env());
    await service.ready();
  });
  /** Whether the service lets a key in. */
  const works = async (apiKey: string): Promise<boolean> =>
    connect({ url: service.url(), apiKey, retries: 0 })
      .status()
      .then(
        () => true,
        (error: unknown) => {
          expect(error).toMatchObject({ code: 'UNAUTHORIZED' });
          return false;
        },
      );
  return { folder, dataDir, env, works, service: () => service };
}
