import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs';
import { mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// The system writes what is synced at the same time to the disk together.
const AT_ONCE = 16;

// What Windows and some network file systems say of a folder that is to be synced: they keep its names by themselves.
const NOT_SYNCABLE: readonly unknown[] = ['EPERM', 'EINVAL'];

/** Syncs the names in a folder to the disk, where the system syncs folders at all. */
export function syncNames(folder: string): void {
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } catch (error) {
    if (!NOT_SYNCABLE.includes((error as NodeJS.ErrnoException).code)) throw error;
  } finally {
    closeSync(file);
  }
}

/**
 * Makes a folder with those above it, all of them with their names on the disk. `mkdir` with `recursive` never returns where a
 * parent takes no folder, as /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  const parent = dirname(folder);
  try {
    await mkdir(folder, { mode: 0o700 });
    syncNames(parent);
  } catch (error) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
    const code = error instanceof Error && 'code' in error && error.code;
    // Of a link to nothing the link is there; this throws that what it leads to is not.
    if (code === 'EEXIST') statSync(folder);
    // A drive of Windows that is not there is its own parent.
    if (code !== 'ENOENT' || parent === folder || existsSync(parent)) throw error;
    await makeFolder(parent);
    await makeFolder(folder);
  }
}

/** Syncs a folder with everything in it to the disk. */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const syncNext = async (): Promise<void> => {
    for (let entry = files.pop(); entry; entry = files.pop())
      await syncFile(join(entry.parentPath, entry.name));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, syncNext));
  for (const entry of entries) if (entry.isDirectory()) syncNames(join(entry.parentPath, entry.name));
  syncNames(folder);
}

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
