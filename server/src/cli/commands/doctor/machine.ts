import { constants } from 'node:fs';
import { access, lstat, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { quoteForShell } from '@svc-memory/hooks';
import { SECRET_FILE, SECRET_FIX } from '../../../config/service-secret.ts';
import { isOpenToAll } from '../../access/open-folder.ts';
import { type CheckResult, failure, ok, type Surroundings, warning } from './check-result.ts';

const MIB = 1024 * 1024;
const SPACE_NEEDED = 100 * MIB;
const SPACE_WANTED = 1024 * MIB;
const SKEW_MS = 5 * 60_000;
const EARLIEST = Date.UTC(2025, 0, 1);

/** Can the data folder be written, and is there room. */
export async function checkFolder({ config, running }: Surroundings): Promise<CheckResult[]> {
  const { dataDir } = config;
  const present = await nearest(dataDir);
  if (await isLinkToNothing(present)) {
    const fix = 'Make the folder that it leads to, or set SVC_DATA_DIR.';
    return [failure(`Data folder: ${present} is a link to nothing`, fix)];
  }
  try {
    if (!(await stat(present)).isDirectory()) throw new Error('not a folder');
    await access(present, constants.W_OK | constants.X_OK);
  } catch {
    const fix = `Give this user write access to ${present}, or set SVC_DATA_DIR.`;
    return [failure(`Data folder: ${dataDir} cannot be written`, fix)];
  }
  const { bavail, bsize } = await statfs(present);
  const free = bavail * bsize;
  const state = free < SPACE_NEEDED ? 'failure' : free < SPACE_WANTED ? 'warning' : 'ok';
  const inUse = running ? ', in use by the running service' : '';
  const made = present === dataDir ? `can be written${inUse}` : 'will be made by the first start';
  const isOpen = present === dataDir && (await isOpenToAll(dataDir));
  return [
    isOpen
      ? warning(
          `Data folder: any user of this machine may replace what is in ${dataDir}`,
          `chmod 700 ${quoteForShell(dataDir, process.platform)}`,
        )
      : ok(`Data folder: ${dataDir} ${made}`),
    {
      state,
      message: `Disk: ${Math.floor(free / MIB)} MiB free`,
      fix: `Free some space, or set SVC_DATA_DIR to another disk: at least ${SPACE_WANTED / MIB} MiB are advised.`,
    },
  ];
}

async function isLinkToNothing(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  // Of a drive of Windows that is not there, nothing is.
  const itself = await lstat(path).catch(() => undefined);
  return there === undefined && itself !== undefined && itself.isSymbolicLink();
}

/** The path itself, or the nearest part above it that is there. */
async function nearest(path: string): Promise<string> {
  const there = await lstat(path).then(
    () => true,
    () => false,
  );
  return there || dirname(path) === path ? path : nearest(dirname(path));
}

/** Does the service answer, or else could it have its port. */
export async function checkPort({ config, running, elsewhere }: Surroundings): Promise<CheckResult> {
  if (running) {
    const { url, asked } = running;
    if (url !== asked) {
      return failure(`Service: answers at ${url}, and not at ${asked}`, `Set SVC_API_URL to ${url}.`);
    }
    return ok(`Service: answers at ${running.url} (version ${running.health.version})`);
  }
  if (elsewhere) {
    return warning(
      `Service: the one at ${elsewhere.url} has its data elsewhere`,
      'To use it, set SVC_DATA_DIR to its data folder, or SVC_API_URL and SVC_API_KEY. To start one of this folder beside it, set SVC_PORT.',
    );
  }
  const { host, port, apiUrl } = config;
  if (apiUrl !== undefined) {
    const fix = 'Start it there, or correct or unset SVC_API_URL.';
    return failure(`Service: no Agent Memory Service answers at ${apiUrl}`, fix);
  }
  const code = await tryPort(host, port);
  if (code === undefined) return ok(`Service: stopped; port ${port} on ${host} is free`);
  return failure(
    `Service: does not answer, and port ${port} on ${host} cannot be opened (${code})`,
    'Stop the program that uses the port, or set SVC_PORT and SVC_HOST.',
  );
}

function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Do all processes of a database server sign and seal with one secret; nothing where the folder is of one process. */
export function checkSecret({ config }: Surroundings): CheckResult[] {
  const { databaseUrl, secret, dataDir } = config;
  if (databaseUrl === undefined || secret !== undefined) return [];
  const file = join(dataDir, SECRET_FILE);
  return [
    warning(
      `Secret: SVC_SECRET is not set, so each data folder has its own, this one in ${file}`,
      SECRET_FIX,
    ),
  ];
}

/** Is the clock plausible, and does it agree with the service and the data folder. */
export async function checkClock({ config, running }: Surroundings): Promise<CheckResult> {
  const now = Date.now();
  const fix = 'Set the clock of this machine, best by NTP.';
  if (now < EARLIEST) return failure(`Clock: shows ${new Date(now).toISOString()}`, fix);
  if (running && Math.abs(now - Date.parse(running.health.timestamp)) > SKEW_MS) {
    return failure(`Clock: differs from the service's ${running.health.timestamp}`, fix);
  }
  const touched = await stat(config.dataDir).catch(() => undefined);
  if (touched && touched.mtimeMs - now > SKEW_MS) {
    return failure('Clock: is behind the last change of the data folder', fix);
  }
  return ok(`Clock: ${new Date(now).toISOString()}`);
}
