import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolders, writeFileAtomically } from '@svc-memory/hooks';
import { type Config, ConfigError } from './config.ts';

/** Name of the file in the data folder that holds the secret where `SVC_SECRET` is not set. */
export const SECRET_FILE = 'secret';
const MIN_CHARACTERS = 32;

/** What to do where processes on one database may have secrets of their own. */
export const SECRET_FIX =
  'Set SVC_SECRET to one text for all processes: where they differ, humans are signed out and webhooks are not signed.';

/**
 * The secret that signs session cookies and keeps what must be read again: `SVC_SECRET`, else a random one that the
 * first start keeps in the data folder (mode 0600), so that a restart signs nobody out.
 *
 * @throws ConfigError where it can neither be read nor made.
 */
export async function serviceSecret({
  secret,
  dataDir,
}: Pick<Config, 'secret' | 'dataDir'>): Promise<string> {
  if (secret !== undefined) return secret;
  const file = join(dataDir, SECRET_FILE);
  try {
    if (!existsSync(file)) await make(file);
    const kept = (await readFile(file, 'utf8')).trim();
    if (kept.length >= MIN_CHARACTERS) return kept;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${error.code})` : '';
    throw new ConfigError([`SVC_SECRET must be set where ${file} cannot be read or written${code}`]);
  }
  throw new ConfigError([
    `${file} does not hold a secret. Delete it, or set SVC_SECRET: humans then sign in again.`,
  ]);
}

async function make(file: string): Promise<void> {
  makeFolders(dirname(file));
  const candidate = `${file}.${randomUUID()}`;
  writeFileAtomically(candidate, `${randomBytes(32).toString('base64url')}\n`, { durable: true });
  // A link appears whole or not at all, and only the first of several starting processes makes it.
  await link(candidate, file).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  });
  await rm(candidate);
}
