import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SvcError } from '@svc-memory/core/contract';

const PREFIX = 'svc-git-';
const NAME = /^svc-git-\w{6}$/;
/** How long after its last change a folder is of a process that was killed: no fetch takes nearly as long. */
const ABANDONED_MS = 3_600_000;

/**
 * Makes a folder for one fetch, and removes what fetches whose process was killed have left.
 *
 * @throws SvcError `UNAVAILABLE` where no temporary folder can be written, as in a container that is read-only.
 */
export async function makeGitFolder(): Promise<string> {
  const parent = tmpdir();
  for (const name of await readdir(parent).catch(() => [])) {
    // What cannot be removed is no reason to refuse an import.
    if (NAME.test(name)) await removeAbandoned(join(parent, name)).catch(() => {});
  }
  return mkdtemp(join(parent, PREFIX)).catch((cause: unknown) => {
    const fix = 'mount a folder there that the service may write, or set TMPDIR to one';
    throw new SvcError('UNAVAILABLE', `A fetch needs room in ${parent}: ${fix}.`, { cause });
  });
}

async function removeAbandoned(folder: string): Promise<void> {
  const found = await lstat(folder);
  // In another's folder, links could be put in the way of the removal.
  const isOwn = found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid);
  if (isOwn && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(folder, { recursive: true, force: true });
}
