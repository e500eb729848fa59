import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createEngine, type Engine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { beforeAll } from 'vitest';
import { svc, useFolder } from './cli.fixture.ts';

/** Data folders for the tests of a file, of which `data` holds one memory. */
export interface BackupFolders {
  /** Path of something in the folder of the tests. */
  at(name: string): string;
  /** The environment in which commands use a data folder. */
  env(name: string): { readonly SVC_DATA_DIR: string };
  withEngine<T>(name: string, work: (engine: Engine) => Promise<T>): Promise<T>;
  /** Names of all files of a data folder. */
  listing(name: string): Promise<string[]>;
  /** What an export of a data folder says, but for its time. */
  exported(name: string): Promise<string>;
  /** What an export of `data` said at first. */
  readonly original: string;
  /** The tenant of `data`. */
  readonly tenantId: string;
}

/** Makes the folders for all tests of a file. */
export function useBackupFolders(): BackupFolders {
  const folder = useFolder();
  let original = '';
  let tenantId = '';
  const at = (name: string) => join(folder.path, name);
  const env = (name: string) => ({ SVC_DATA_DIR: at(name) });
  const folders: BackupFolders = {
    at,
    env,
    withEngine: async (name, work) => {
      const engine = createEngine({ database: await openPglite(at(name), { sync: false }) });
      return work(engine).finally(() => engine.close());
    },
    listing: async (name) => (await readdir(at(name), { recursive: true })).sort(),
    exported: async (name) => (await svc('export', env(name))).out.replace(/"exported_at":"[^"]+"/, ''),
    get original() {
      return original;
    },
    get tenantId() {
      return tenantId;
    },
  };
  beforeAll(async () => {
    await makeDataFolder(at('data'));
    await writeFile(at('data/secret'), 'the secret of this service, long enough\n', { mode: 0o600 });
    await folders.withEngine('data', async (engine) => {
      ({ id: tenantId } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' }));
      await engine
        .agent(tenantId)
        .remember({ type: 'semantic', content: 'The spare key hangs behind the shed.' });
    });
    original = await folders.exported('data');
  });
  return folders;
}
