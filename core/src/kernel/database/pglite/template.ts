import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { MIGRATIONS } from '../migrate.ts';

/** Folder of the template. Its relative path is the same from `src` and `dist`. */
export const BUNDLE = fileURLToPath(new URL('../../../../bundle', import.meta.url));

const MADE_BY = ['@electric-sql/pglite', '@electric-sql/pglite-pgvector'];

/** A hash of the migrations and of the version of Postgres: of what a new database is made. */
export function templateHash(): string {
  const migrations = readdirSync(MIGRATIONS).filter((name) => name.endsWith('.sql'));
  const hash = createHash('sha256');
  for (const file of [...migrations.map((name) => join(MIGRATIONS, name)), ...MADE_BY.map(manifestOf)])
    hash.update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Name of the compressed archive of a migrated database without a tenant. One of another release is not found. */
export function templateName(): string {
  return `template-${templateHash()}.tar.gz`;
}

/**
 * The files of a new database, which `npm run build` makes: to have Postgres make them and run all migrations takes seconds.
 * Undefined where there is no such file, as in a checkout that was not built, or where it is damaged.
 */
export async function readTemplate(): Promise<Blob | undefined> {
  try {
    const bytes = await promisify(gunzip)(await readFile(join(BUNDLE, templateName())));
    return new Blob([new Uint8Array(bytes)]);
  } catch {
    return undefined;
  }
}

function manifestOf(name: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(name)), '../package.json');
}
