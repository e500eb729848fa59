import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startPglite } from '../kernel/database/pglite/pglite.ts';
import { templateHash } from '../kernel/database/pglite/template.ts';

let made: Promise<string> | undefined;

/**
 * Fills a data folder with what the first start of a service makes, before there is a tenant: a copy, which is there in a tenth
 * of the time. Tests of the first start itself begin with an empty folder.
 *
 * @param folder Made if it is not there.
 */
export async function makeDataFolder(folder: string): Promise<void> {
  made ??= makeOnce();
  const from = await made;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Node's own `cp` takes a second for a thousand files.
  if (process.platform === 'win32') await cp(from, folder, { recursive: true });
  else await promisify(execFile)('cp', ['-R', `${from}/.`, folder]);
}

/** The folder that is copied. Its name says of which release it is. */
async function makeOnce(): Promise<string> {
  const folder = join(tmpdir(), `svc-test-folder-${templateHash()}`);
  if (existsSync(folder)) return folder;
  const draft = `${folder}.${randomUUID()}`;
  await (await startPglite(draft)).close();
  // Of several processes at once the first wins.
  await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  return folder;
}
