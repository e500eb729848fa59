import { execFile } from 'node:child_process';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const MIB = 1024 * 1024;

/** A file system of a few MiB. */
export interface SmallDisk {
  readonly folder: string;
  /** Leaves no byte free. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
  makeReadOnly(): Promise<void>;
  remove(): Promise<void>;
}

/** Why none can be made here. */
export async function noSmallDisk(): Promise<string | undefined> {
  try {
    await (await makeSmallDisk(1)).remove();
    return undefined;
  } catch {
    return 'this user may not mount a file system';
  }
}

/** Mounts a small file system in memory. */
export async function makeSmallDisk(mib: number): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-faults-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${mib}m`, 'svc-faults', folder]).catch(
    async (error: unknown) => {
      await rm(folder, { recursive: true });
      throw error;
    },
  );
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: async () => {
      const file = await open(filler, 'a');
      // Ever smaller pieces, until not one byte more fits.
      for (let piece = MIB; piece >= 1; piece = Math.floor(piece / 8)) {
        while (
          await file.write(Buffer.alloc(piece)).then(
            ({ bytesWritten }) => bytesWritten === piece,
            () => false,
          )
        );
      }
      await file.close();
    },
    free: () => rm(filler, { force: true }),
    makeReadOnly: async () => {
      await run('mount', ['-o', 'remount,ro', folder]);
    },
    remove: async () => {
      await run('umount', ['-l', folder]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
