import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { MIGRATIONS } from '../kernel/database/migrate.ts';

/** A hash of all that decides how a migrated database, and a template made of it, looks. */
export async function migrationsHash(): Promise<string> {
  const folders = ['../kernel/database/', './'].map((name) => new URL(name, import.meta.url));
  const code = folders.map(async (folder) =>
    (await readdir(folder))
      .filter((name) => /^(migrate|template|data-folder)\.[jt]s$/.test(name))
      .map((name) => new URL(name, folder)),
  );
  const files = [
    `${MIGRATIONS}/meta/_journal.json`,
    ...(await readdir(MIGRATIONS))
      .filter((name) => name.endsWith('.sql'))
      .map((name) => `${MIGRATIONS}/${name}`),
    ...(await Promise.all(code)).flat(),
  ];
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(file));
  return hash.digest('hex').slice(0, 16);
}
