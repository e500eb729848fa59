import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup-error.ts';
import { UnwritableError } from './errors.ts';
import { makeFolder, syncNames } from './sync-folder.ts';

/** The folder of a data folder that holds its backups. */
export const BACKUP_FOLDER = 'backups';

/**
 * Beside the backups, the ids of the users' tenants, spaces and bound API keys that were erased for good: what a restored backup
 * brings back of them is erased again. They are random, and name nobody.
 */
export const ERASURE_LOG = 'erasures.ndjson';

const entrySchema = z.object({ at: z.iso.datetime(), erased: z.array(z.uuid()) });

interface Erasures {
  /** From when on it tells of all: when its first entry was written, or the first after one that is damaged. */
  readonly since: string | undefined;
  readonly ids: readonly string[];
}

/**
 * Reads the log of erasures in a folder of backups, where it has one, without the entries that are damaged.
 *
 * @throws BackupError where it cannot be read.
 */
export async function readErasureLog(folder: string): Promise<Erasures> {
  const file = join(folder, ERASURE_LOG);
  const text = existsSync(file) ? await readFile(file, 'utf8').catch((error) => refuse(file, error)) : '';
  const ids = new Set<string>();
  let since: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = parseEntry(line);
    since = entry && (since ?? entry.at);
    for (const id of entry?.erased ?? []) ids.add(id);
  }
  return { since, ids: [...ids] };
}

function refuse(file: string, error: NodeJS.ErrnoException): never {
  throw new BackupError(
    `${file} cannot be read (${error.code}): it tells what was erased.`,
    'Mend that: without it a restored backup brings back who was erased.',
    { cause: error },
  );
}

function parseEntry(line: string): z.output<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Begins the log before a backup is made, unless it tells of all that is erased from now on already. */
export async function beginErasureLog(folder: string): Promise<void> {
  const { since } = await readErasureLog(folder);
  if (since === undefined) await append(folder, []);
}

/**
 * Notes on the disk what is erased.
 *
 * @throws UnwritableError where the disk takes nothing.
 */
export async function noteErased(folder: string, ids: readonly string[]): Promise<void> {
  try {
    await append(folder, ids);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
    if (code === undefined) throw error;
    throw new UnwritableError('what is erased cannot be noted beside the backups', code);
  }
}

/**
 * Adds to the log in a folder what the one in another folder tells beyond it.
 *
 * @returns from when on they tell of all; undefined where there is none, or its end is damaged.
 */
export async function bringErasures(from: string, to: string): Promise<string | undefined> {
  const [theirs, own] = [await readErasureLog(from), await readErasureLog(to)];
  const known = new Set(own.ids);
  const missing = theirs.ids.filter((id) => !known.has(id));
  const isFirst = !existsSync(join(to, ERASURE_LOG));
  if (missing.length > 0 || (isFirst && theirs.since !== undefined))
    await append(to, missing, isFirst ? theirs.since : undefined);
  return [theirs.since, own.since].filter((since) => since !== undefined).sort()[0];
}

async function append(
  folder: string,
  erased: readonly string[],
  at = new Date().toISOString(),
): Promise<void> {
  await makeFolder(folder);
  const log = await open(join(folder, ERASURE_LOG), 'a', 0o600);
  try {
    // On a line of its own also behind an entry that was cut off.
    await log.writeFile(`\n${JSON.stringify({ at, erased })}`);
    await log.sync();
  } finally {
    await log.close();
  }
  syncNames(folder);
}
