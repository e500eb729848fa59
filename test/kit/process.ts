import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll } from 'vitest';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = join(ROOT, 'server/bin/svc.js');
const BUILT = join(ROOT, 'server/dist/cli/main.js');

/** `npx svc-memory serve` in a process of its own, as `npm start` runs it. */
export interface ServiceProcess {
  readonly pid: number;
  /** Where it answers and its API key, from `credentials.json`. */
  credentials(): Promise<{ readonly url: string; readonly key: string }>;
  /** Everything it wrote to stderr so far. */
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
  /** Resolves once it serves; throws with what it wrote when it ends instead. */
  readonly ready: Promise<void>;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];

/** Ends what the tests of a file have started, and removes their folders. Call it once at the top of the file. */
export function cleanUp(): void {
  afterAll(async () => {
    const ends = [...running].map((child) => once(child, 'close'));
    for (const child of running) child.kill('SIGKILL');
    await Promise.all(ends);
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  });
}

/** An empty folder that `cleanUp` removes. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  folders.push(folder);
  return folder;
}

/** The same, in which `startProcess` finds a migrated database without a tenant: a first start takes longer. */
export async function preparedFolder(): Promise<string> {
  const folder = await temporaryFolder();
  await makeDataFolder(join(folder, '.svc'));
  return folder;
}

/** Copies a folder. Node's own `cp` takes a second for a data folder with its thousand files. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-R', from, to]);
}

/** Starts the built service in a working folder, on a free port, with its data in `.svc` there. */
export function startProcess(folder: string): ServiceProcess {
  if (!existsSync(BUILT)) throw new Error(`${BUILT} is missing: run npm run build first`);
  const child = spawn(process.execPath, [SERVICE, 'serve'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      SVC_PORT: '0',
      SVC_RATE_LIMIT: '0',
      SVC_LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const written = { out: '', err: '' };
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    written.err += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child);
    return code ?? signal;
  });
  const serves = new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      written.out += text;
      if (written.out.includes('Ctrl-C')) resolve();
    });
  });
  const over = ended.then((code) => {
    if (!written.out.includes('Ctrl-C'))
      throw new Error(`npx svc-memory serve ended with ${code}: ${written.err}`);
  });
  const ready = Promise.race([serves, over]);
  // Some tests wait only for the end of a process that never gets ready.
  ready.catch(() => {});
  return {
    pid: child.pid ?? 0,
    credentials: async () => {
      const file = await readFile(join(folder, '.svc', 'credentials.json'), 'utf8');
      const { api_url, api_key } = JSON.parse(file) as { api_url: string; api_key: string };
      return { url: api_url, key: api_key };
    },
    stderr: () => written.err,
    kill: (signal) => child.kill(signal),
    ready,
    ended,
  };
}
