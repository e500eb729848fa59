import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, cp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { DATABASE_FOLDER } from '../kernel/database/folder-state.ts';
import { attachPglite, EXTENSIONS, startPglite } from '../kernel/database/pglite.ts';
import { makeFolder } from '../kernel/database/sync-folder.ts';
import { migrationsHash } from './migrations-hash.ts';
import { dropTemplates, SMALL } from './template.ts';

let template: Promise<string> | undefined;

/**
 * Fills a data folder with a migrated database that holds no tenant, as the first start of a service would make it, but
 * for the databases that nobody copies, and with less memory and a shorter log: so it is copied, opened and backed up faster.
 * Tests of the first start itself begin with an empty folder.
 *
 * @param folder Made if it is not there.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  template ??= readTemplate();
  const from = await template;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Node's own `cp` takes a second for a thousand files.
  if (process.platform === 'win32') await cp(from, folder, { recursive: true });
  else await promisify(execFile)('cp', ['-R', `${from}/.`, folder]);
}

/** The folder that is copied. Its name holds a hash of what made it, so that it is never stale. */
async function readTemplate(): Promise<string> {
  const folder = join(tmpdir(), `svc-test-folder-${await migrationsHash()}`);
  if (await isThere(folder)) return folder;
  const draft = `${folder}.${randomUUID()}`;
  await makeFolder(draft);
  const client = await PGlite.create({
    dataDir: join(draft, DATABASE_FOLDER),
    extensions: EXTENSIONS,
    initDbStartParams: SMALL,
  });
  const database = await attachPglite(client);
  await dropTemplates(client);
  await database.close();
  // Brings it to the disk, and says so in it.
  await (await startPglite(draft)).close();
  // Of several processes at once the first wins.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return folder;
}

function isThere(folder: string): Promise<boolean> {
  return access(folder).then(
    () => true,
    () => false,
  );
}
