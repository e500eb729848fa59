import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../kit/listen.ts';

/** Root of this release. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** How a process of the service is started. */
export interface ServiceOptions {
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Root of the release to run; default this one. */
  readonly release?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** A process of the built service at a port of its own, which it keeps over restarts. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  start(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves with the exit code, or the signal that ended it. */
  ended(): Promise<number | string>;
  stderr(): string;
}

const running = new Set<ChildProcess>();

/** Ends every process that is still there. */
export async function endAll(): Promise<void> {
  const ends = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGKILL');
  await Promise.all(ends);
}

/** Prepares a process of the service; `start` starts it, also again. */
export async function prepareService({
  args = [],
  env,
  release = ROOT,
  port: given,
}: ServiceOptions): Promise<Service> {
  const main = join(release, 'server/bin/svc.js');
  if (!existsSync(join(release, 'server/dist/cli/main.js'))) throw new Error('run npm run build first');
  const port = given ?? (await freePort());
  let child: ChildProcess | undefined;
  let end: Promise<number | string> = Promise.resolve(0);
  let err = '';
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return child?.pid ?? 0;
    },
    start: async () => {
      const started = spawn(process.execPath, [main, 'serve', ...args], {
        cwd: release,
        env: {
          PATH: process.env.PATH,
          HOME: process.env.HOME,
          SVC_PORT: String(port),
          SVC_RATE_LIMIT: '0',
          SVC_LOG_LEVEL: 'error',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      running.add(started);
      started.stderr.setEncoding('utf8').on('data', (text: string) => {
        err = `${err}${text}`.slice(-100_000);
      });
      end = once(started, 'close').then(([code, signal]) => {
        running.delete(started);
        return code ?? signal;
      });
      let out = '';
      const ready = new Promise<void>((resolve) => {
        started.stdout.setEncoding('utf8').on('data', (text: string) => {
          out += text;
          if (out.includes('Ctrl-C')) resolve();
        });
      });
      const over = end.then((code) => {
        throw new Error(`npx svc-memory serve ended with ${code}: ${err.slice(-2_000)}`);
      });
      over.catch(() => {});
      await Promise.race([ready, over]);
    },
    kill: (signal) => void child?.kill(signal),
    ended: () => end,
    stderr: () => err,
  };
}
