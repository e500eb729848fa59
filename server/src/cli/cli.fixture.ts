import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createEngine, type Engine, openPglite } from '@svc-memory/core';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, beforeAll } from 'vitest';
import type { Environment } from '../config/config.ts';
import { engineActions } from '../control/actions/index.ts';
import { openControlDoor } from '../control/control-door.ts';
import { COMMANDS } from './commands.ts';
import { run } from './program.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SERVICE = join(ROOT, 'server/bin/svc.js');

/** What these tests are about, no power cut ends: `serve.test.ts` alone runs as a service does by default. */
const UNSYNCED = { SVC_EMBEDDED_SYNC: 'off' };

/** What may answer at the default port of this machine is none of theirs. */
const NO_PORT = { SVC_PORT: '0' };

/** Gives all tests of a file an empty folder. At their end it goes, after the services that the file has started. */
export function useFolder(): { readonly path: string } {
  let path: string | undefined;
  beforeAll(async () => {
    path = await mkdtemp(join(tmpdir(), 'svc-cli-'));
  });
  afterAll(async () => {
    await endServices();
    if (path !== undefined) await rm(path, { recursive: true, force: true });
  });
  return {
    get path() {
      if (path === undefined) throw new TypeError('only inside tests');
      return path;
    },
  };
}

/** Makes an embedded database in a folder, with one memory. */
export async function fillFolder(dataDir: string): Promise<void> {
  await makeDataFolder(dataDir);
  const engine = createEngine({ database: await openPglite(dataDir, { sync: false }) });
  const { id } = await engine.tenants.create({ displayName: 'Ada', plan: 'local' });
  await engine.agent(id).remember({ type: 'semantic', content: 'The kettle whistles.' });
  await engine.close();
}

/** What a command came to. */
export interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a command in this process, through the same door as the executable.
 *
 * @param args Its arguments, with a space between them.
 */
export async function svc(args: string, env: Environment = {}): Promise<Result> {
  const written = { out: '', err: '' };
  const terminal = {
    out: (...parts: readonly unknown[]) => {
      written.out += `${parts.join('')}\n`;
    },
    err: (text: string) => {
      written.err += `${text}\n`;
    },
    write: async (text: string) => {
      written.out += text;
    },
    style: (_: string, text: string) => text,
    written: async () => undefined,
  };
  const settings = env.SVC_DATA_DIR === undefined ? env : { ...NO_PORT, ...UNSYNCED, ...env };
  const code = await run(args.split(' '), COMMANDS, { env: settings, terminal });
  return { code, ...written };
}

/**
 * Runs the built command in a process of its own, for what only a whole process shows.
 *
 * @param stdout An open file for its results, of which `out` then has nothing.
 */
export async function svcProcess(
  args: readonly string[],
  env: Environment = {},
  stdout: number | 'pipe' = 'pipe',
): Promise<Result> {
  const child = startProcess(args, env, stdout);
  const read = async (stream: Readable | null) => (stream ? text(stream) : '');
  const [out, err, [code]] = await Promise.all([
    read(child.stdout),
    read(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out, err };
}

/** Starts the built command in a process of its own, for tests that end it. */
export function startProcess(
  args: readonly string[],
  env: Environment = {},
  stdout: number | 'pipe' = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [SERVICE, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...UNSYNCED, ...env },
    stdio: ['ignore', stdout, 'pipe'],
  });
}

/**
 * Has the commands on a data folder act at this engine, as beside a running service: each would open the folder's database,
 * which takes longer than all else that it does.
 *
 * @returns what ends it.
 */
export function besideEngine(dataDir: string, engine: Engine): Promise<() => Promise<void>> {
  return openControlDoor(dataDir, engineActions(engine));
}

/** A service in a process of its own. */
export interface Service {
  readonly process: ChildProcess;
  /** Everything written so far. */
  out(): string;
  err(): string;
  /** The address it printed. */
  url(): string;
  /** Resolves once it listens; throws with its output when it ends instead. */
  ready(): Promise<void>;
  /** Resolves with its exit code, or the signal that killed it. */
  ended: Promise<number | string>;
}

const started: Service[] = [];

/** Kills every service this file started: a test that fails halfway must not leave its own running. */
export async function endServices(): Promise<void> {
  for (const service of started) service.process.kill('SIGKILL');
  await Promise.all(started.map((service) => service.ended));
}

/**
 * Starts the built `npx svc-memory serve`, on a free port unless the environment says otherwise.
 *
 * @param stderr An open file for its log, of which `err()` then has nothing.
 */
export function startService(
  env: Environment,
  args: readonly string[] = [],
  stderr: number | 'pipe' = 'pipe',
): Service {
  const child = spawn(process.execPath, [SERVICE, 'serve', ...args], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, SVC_PORT: '0', ...UNSYNCED, ...env },
    stdio: ['ignore', 'pipe', stderr],
  });
  const written = { out: '', err: '' };
  const { stdout } = child;
  if (!stdout) throw new TypeError('a pipe');
  stdout.setEncoding('utf8').on('data', (text: string) => {
    written.out += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    written.err += text;
  });
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal);
  const service: Service = {
    process: child,
    out: () => written.out,
    err: () => written.err,
    url: () => /Address +(http\S+)/.exec(written.out)?.[1] ?? '',
    ready: async () => {
      const over = ended.then((code) => {
        throw new Error(`npx svc-memory serve ended with ${code}: ${written.err.slice(0, 2_000)}`);
      });
      while (!written.out.includes('Ctrl-C')) await Promise.race([once(stdout, 'data'), over]);
    },
    ended,
  };
  started.push(service);
  return service;
}
