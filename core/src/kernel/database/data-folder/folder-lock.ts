import { randomUUID } from 'node:crypto';
import { linkSync } from 'node:fs';
import { readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isListenedOn, openLockSocket } from './lock-socket.ts';
import { processFacts } from './process-facts.ts';
import { renameWhenFree, untilFree } from './until-free.ts';

/** Name of the lock file inside the data folder. */
export const LOCK_FILE = 'svc.lock';

/** Linux's name of the pid namespace of a machine outside its containers. */
const OUTERMOST_NAMESPACE = 'pid:[4026531836]';
const HEARTBEAT_MS = 5_000;
// A lock whose process cannot be seen from here, on a shared volume, counts as abandoned after this time without a heartbeat.
const ABANDONED_MS = 60_000;
// Clocks of two hosts differ: that long a lock is watched besides, in heartbeats.
const WATCHED_BEATS = 2.5;
// A takeover is two file operations. One that lasts longer was killed in between.
const TAKEOVER_MS = 5_000;
const RETRY_MS = 10;
// A service that is stopping finishes its calls first; a restart waits for it this long.
const PATIENCE_MS = 5_000;
const LOOK_AGAIN_MS = 50;

interface Owner {
  readonly pid: number;
  /** Start of the process as `processFacts` tells it, null when unknown. It tells a reused pid from the owner's. */
  readonly started: string | null;
  readonly host: string;
  /** Namespace that the pid is of, null when unknown: containers may share a host name, and each has its own pids. */
  readonly namespace?: string | null;
  /** Linux's id of the boot of the kernel, null when unknown. A lock of an earlier release has neither. */
  readonly boot?: string | null;
  /** Windows and a Linux beside it, as WSL, share host name and folders, and have pids of their own. */
  readonly platform?: NodeJS.Platform;
  readonly token: string;
}

/**
 * Thrown when a live process has the data folder open: two databases would corrupt each other's writes. It may be this
 * process, as where a development server has loaded the program's modules anew.
 */
export class FolderInUseError extends Error {
  override readonly name = 'FolderInUseError';
  constructor(folder: string, owner: Owner, isThisProcess: boolean) {
    const fix = isThisProcess
      ? 'That is this process: use the engine that it has already, kept on globalThis where modules are loaded anew, or close that one first.'
      : 'Stop that process, or set SVC_DATA_DIR to another folder.';
    super(`The data folder ${folder} is in use by process ${owner.pid} on ${owner.host}. ${fix}`);
  }
}

/** The hold of this process on a data folder. */
interface FolderLock {
  /** Whether the lock is in the folder still: not where the folder was moved, or another host took it for abandoned. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
}

/**
 * Locks the folder for this process until `release`, or until the process ends.
 *
 * @param patienceMs How long to wait for a live process to release the folder; default 5,000.
 * @param heartbeatMs Time between two heartbeats; default 5,000.
 * @throws FolderInUseError
 */
export async function lockFolder(
  folder: string,
  { patienceMs = PATIENCE_MS, heartbeatMs = HEARTBEAT_MS } = {},
): Promise<FolderLock> {
  const file = join(folder, LOCK_FILE);
  const mine = await thisProcess();
  const closeSocket = isToldBySocket(mine) ? await openLockSocket(folder, socketOf(mine)) : undefined;
  const candidate = `${file}.${mine.token}`;
  const end = performance.now() + patienceMs;
  try {
    await writeFile(candidate, JSON.stringify(mine), { mode: 0o600 });
    // Creating a hard link is atomic, and never replaces an existing file.
    while (!linkNew(candidate, file)) {
      const owner = await readOwner(file);
      if (owner && (await isAlive(owner, folder, heartbeatMs))) {
        if (performance.now() >= end) {
          const isThisProcess = owner.pid === process.pid && (await isVisible(owner));
          throw new FolderInUseError(folder, owner, isThisProcess);
        }
        await setTimeout(LOOK_AGAIN_MS);
        continue;
      }
      if (!(await replaceStale(file, candidate, owner))) continue;
      if (owner) await rm(join(folder, socketOf(owner)), { force: true });
      break;
    }
  } catch (error) {
    await closeSocket?.();
    throw error;
  } finally {
    await rm(candidate, { force: true });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, heartbeatMs);
  heartbeat.unref();
  const isHeld = async () => (await readOwner(file))?.token === mine.token;
  return {
    isHeld,
    release: async () => {
      clearInterval(heartbeat);
      try {
        if (await isHeld()) await rm(file, { force: true });
      } finally {
        await closeSocket?.();
      }
    },
  };
}

/** This process, as the owner of a lock. */
async function thisProcess(): Promise<Owner> {
  return {
    pid: process.pid,
    started: (await processFacts(process.pid))?.started ?? null,
    host: hostname(),
    namespace: await ownNamespace(),
    boot: await bootId(),
    platform: process.platform,
    token: randomUUID(),
  };
}

/** Whether a socket tells others that this process lives: in containers, as each sees its own processes only, and on Windows. */
function isToldBySocket({ namespace, platform }: Owner): boolean {
  const isContained = typeof namespace === 'string' && namespace !== OUTERMOST_NAMESPACE;
  return isContained || platform === 'win32';
}

/** Whether a live process has the folder open. */
export async function isLocked(folder: string): Promise<boolean> {
  const file = join(folder, LOCK_FILE);
  const owner = await readOwner(file);
  return owner !== undefined && (await isAlive(owner, folder, HEARTBEAT_MS));
}

/**
 * Replaces a stale lock with the candidate. Only the holder of the marker named after that lock may do so: without it, two
 * starting processes could each remove the other's fresh lock.
 */
async function replaceStale(file: string, candidate: string, stale: Owner | undefined): Promise<boolean> {
  const marker = `${file}.${stale?.token ?? 'torn'}.takeover`;
  if (!linkNew(candidate, marker)) {
    const made = await stat(marker).catch(() => undefined);
    if (made && Date.now() - made.ctimeMs > TAKEOVER_MS) await rm(marker, { force: true });
    await setTimeout(RETRY_MS);
    return false;
  }
  try {
    const current = await readOwner(file);
    if (current?.token !== stale?.token) return false;
    renameWhenFree(candidate, file);
    return true;
  } finally {
    await rm(marker, { force: true });
  }
}

async function isAlive(owner: Owner, folder: string, heartbeatMs: number): Promise<boolean> {
  if (!(await isVisible(owner))) {
    const isNear = await isOfThisBoot(owner);
    const listens = isNear ? await isListenedOn(folder, socketOf(owner)) : undefined;
    // A socket that nobody listens on is of a process that is gone, unless the folder is mounted twice; a lock from before this
    // host was started again is, too, unless another host has its name. Either would beat.
    const isLeft = listens === false || (isNear === false && owner.host === hostname());
    const abandonedMs = isLeft ? 0 : ABANDONED_MS;
    return listens || isBeating(join(folder, LOCK_FILE), { heartbeatMs, abandonedMs });
  }
  // Windows tells no start of a process, and soon gives its pid to another.
  if (owner.platform === 'win32') return (await isListenedOn(folder, socketOf(owner))) !== false;
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    // A process of another user is there, which may have been given the pid since.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const facts = await processFacts(owner.pid);
  if (facts?.ended) return false;
  return !facts || owner.started === null || facts.started === owner.started;
}

/** Whether the pid of a lock's owner means the same here as there. Two hosts may have the same name, as copies of one image do. */
async function isVisible(owner: Owner): Promise<boolean> {
  const { host, namespace, platform = process.platform } = owner;
  if (host !== hostname() || platform !== process.platform) return false;
  if ((await isOfThisBoot(owner)) === false) return false;
  const own = await ownNamespace();
  return !namespace || !own || namespace === own;
}

/** Linux's name of the namespace that the pids of this process are of; null on other systems. */
function ownNamespace(): Promise<string | null> {
  return readlink('/proc/self/ns/pid').catch(() => null);
}

/** Whether the owner of a lock ran on the kernel that runs here, since it was started; undefined where nothing tells. */
async function isOfThisBoot({ boot }: Owner): Promise<boolean | undefined> {
  const own = await bootId();
  return boot && own ? boot === own : undefined;
}

/** Linux's id of the boot of the kernel, which containers share; null on other systems. */
function bootId(): Promise<string | null> {
  return readFile('/proc/sys/kernel/random/boot_id', 'utf8').then(
    (id) => id.trim(),
    () => null,
  );
}

/** Name of the socket of a process in a container, and of the pipe of one on Windows. */
function socketOf({ token }: Pick<Owner, 'token'>): string {
  return `${LOCK_FILE}.${token}.sock`;
}

/** Whether a lock gets heartbeats. Its time alone does not tell: it is of another clock, or of one that was set since. */
async function isBeating(
  file: string,
  { heartbeatMs, abandonedMs }: { readonly heartbeatMs: number; readonly abandonedMs: number },
): Promise<boolean> {
  const last = await lastBeat(file);
  if (last !== undefined && Math.abs(Date.now() - last) < abandonedMs) return true;
  await setTimeout(WATCHED_BEATS * heartbeatMs);
  return (await lastBeat(file)) !== last;
}

async function lastBeat(file: string): Promise<number | undefined> {
  return (await stat(file).catch(() => undefined))?.mtimeMs;
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    const owner: Owner = JSON.parse(await readFile(file, 'utf8'));
    return typeof owner.pid === 'number' && typeof owner.token === 'string' ? owner : undefined;
  } catch {
    return undefined;
  }
}

/** Gives a file one more name; false where that name is taken, or the file is gone. */
function linkNew(file: string, name: string): boolean {
  try {
    untilFree(() => linkSync(file, name));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    throw error;
  }
}
