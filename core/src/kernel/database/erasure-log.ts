import { existsSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { BackupError } from './backup/backup-error.ts';
import { makeFolder, syncNames } from './data-folder/sync-folder.ts';
import { UnwritableError } from './errors.ts';

/** The folder of a data folder that holds its backups. */
export const BACKUP_FOLDER = 'backups';

/**
 * Beside the backups, the ids of the users' tenants, spaces and bound API keys that were erased for good: what a restored backup
 * brings back of them is erased again. They are random, and name nobody. With them, what the database keeps of the receipts, which
 * an older backup lacks.
 */
export const ERASURE_LOG = 'erasures.ndjson';

/** What is kept of the receipt of an erasure: nothing that names the user. */
const receiptSchema = z.object({
  /** The agent whose user was erased. */
  tenant_id: z.uuid(),
  id: z.uuid(),
  erased_at: z.iso.datetime(),
  /** Rows by the name of their table. */
  erased: z.record(z.string(), z.int().nonnegative()),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});
export type KeptReceipt = z.output<typeof receiptSchema>;

const entrySchema = z.object({
  at: z.iso.datetime(),
  erased: z.array(z.uuid()),
  /** Entries of earlier releases have none. */
  receipts: z.array(receiptSchema).default([]),
});

interface Erasures {
  /** From when on it tells of all: when its first entry was written, or the first after one that is damaged. */
  readonly since: string | undefined;
  readonly ids: readonly string[];
  readonly receipts: readonly KeptReceipt[];
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
  const receipts = new Map<string, KeptReceipt>();
  let since: string | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const entry = parseEntry(line);
    since = entry && (since ?? entry.at);
    for (const id of entry?.erased ?? []) ids.add(id);
    // Of a receipt that was written twice, as where its transaction was not committed the first time, the last one counts.
    for (const receipt of entry?.receipts ?? []) receipts.set(receipt.id, receipt);
  }
  return { since, ids: [...ids], receipts: [...receipts.values()] };
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
  if (since === undefined) await append(folder, { erased: [] });
}

/**
 * Notes on the disk what is erased, and the receipts.
 *
 * @throws UnwritableError where the disk takes nothing.
 */
export async function noteErased(
  folder: string,
  erased: readonly string[],
  receipts: readonly KeptReceipt[] = [],
): Promise<void> {
  try {
    await append(folder, { erased, receipts });
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
  const known = new Set([...own.ids, ...own.receipts.map(({ id }) => id)]);
  const erased = theirs.ids.filter((id) => !known.has(id));
  const receipts = theirs.receipts.filter(({ id }) => !known.has(id));
  const isFirst = !existsSync(join(to, ERASURE_LOG));
  if (erased.length + receipts.length > 0 || (isFirst && theirs.since !== undefined))
    await append(to, { erased, receipts }, isFirst ? theirs.since : undefined);
  return [theirs.since, own.since].filter((since) => since !== undefined).sort()[0];
}

async function append(
  folder: string,
  {
    erased,
    receipts = [],
  }: { readonly erased: readonly string[]; readonly receipts?: readonly KeptReceipt[] },
  at = new Date().toISOString(),
): Promise<void> {
  await makeFolder(folder);
  const log = await open(join(folder, ERASURE_LOG), 'a', 0o600);
  try {
    // On a line of its own also behind an entry that was cut off.
    await log.writeFile(`\n${JSON.stringify({ at, erased, ...(receipts.length > 0 && { receipts }) })}`);
    await log.sync();
  } finally {
    await log.close();
  }
  syncNames(folder);
}
