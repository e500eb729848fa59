import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import type { Database } from '../database/database.ts';
import { MIGRATIONS } from '../database/migrate.ts';
import { attachPglite, EXTENSIONS } from '../database/pglite.ts';

/**
 * A migrated in-memory database, cloned from a file in the temporary folder: three times as fast as making one. The
 * file's name holds a hash of what made it, so that it is never stale.
 */
export async function openTemplate(): Promise<Database> {
  const file = join(tmpdir(), `svc-test-template-${await fingerprint()}.tar`);
  const template = (await readFile(file).catch(() => undefined)) ?? (await makeTemplate(file));
  const loadDataDir = new Blob([new Uint8Array(template)]);
  return attachPglite(await PGlite.create({ extensions: EXTENSIONS, loadDataDir }));
}

async function makeTemplate(file: string): Promise<Buffer> {
  // Its log in files of 1 MiB: the rest of the usual 16 MiB would be copied each time.
  const client = await PGlite.create({ extensions: EXTENSIONS, initDbStartParams: ['--wal-segsize=1'] });
  const database = await attachPglite(client);
  const template = Buffer.from(await (await client.dumpDataDir('none')).arrayBuffer());
  await database.close();
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, template);
  await rename(draft, file);
  return template;
}

async function fingerprint(): Promise<string> {
  const own = new URL('../database/', import.meta.url);
  const files = [
    `${MIGRATIONS}/meta/_journal.json`,
    ...(await readdir(MIGRATIONS))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `${MIGRATIONS}/${name}`),
    ...(await readdir(own)).filter((name) => /^migrate\.[jt]s$/.test(name)).map((name) => new URL(name, own)),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
