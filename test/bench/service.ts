import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { removedAtEnd } from './clean-up.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** As the image starts it, and `npm start` but for the arenas. */
const YOUNG = ['--min-semi-space-size=8', '--max-semi-space-size=8'];
const ARENAS = { MALLOC_ARENA_MAX: '1' };
const ADDRESS = /http:\/\/[\d.]+:\d+/;
/** Connections idle for longer are not used again: a server closes them by itself, Express after five seconds. */
const IDLE_MS = 2_000;
const SVC = fileURLToPath(new URL('../../server/bin/svc.js', import.meta.url));

/** The service as its users run it: a process of its own. */
export interface Service {
  readonly url: string;
  readonly pid: number;
  /** Milliseconds from the start of the process until it answered `/ready`. */
  readonly startedAfter: number;
  /** Sends one JSON request over a connection that is kept open; throws unless it is answered with 2xx. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** The one-time link that signs the owner of an embedded service in. */
  signInUrl(): Promise<string>;
  /** Memory that the process holds, in MiB. */
  residentMemory(): Promise<number>;
  stop(): Promise<void>;
}

/** What a service runs with. */
export interface ServiceOptions {
  /** `SVC_*` variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly apiKey: string;
  /** What it does; default: all. */
  readonly role?: 'api' | 'all';
  /** Folder for a CPU profile, written when the service stops. */
  readonly profileFolder?: string | undefined;
  /** Most MiB of objects the process may hold; default: as many as Node allows. */
  readonly heapMiB?: number | undefined;
}

/** Starts the built service on a free port and waits until it is ready. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { settings, apiKey, profileFolder, heapMiB } = options;
  const started = performance.now();
  const profile = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];
  const heap = heapMiB ? [`--max-old-space-size=${heapMiB}`] : [];
  const child = spawn(
    process.execPath,
    [...profile, ...heap, ...YOUNG, SVC, 'serve', '--role', options.role ?? 'all'],
    {
      cwd: ROOT,
      env: {
        ...withoutSettings(process.env),
        ...ARENAS,
        SVC_PORT: '0',
        SVC_RATE_LIMIT: '0',
        SVC_LOG_LEVEL: 'info',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const { pid } = child;
  if (pid === undefined) throw new Error('the service did not start');
  const kill = removedAtEnd(() => killed(child));
  const said = listenTo(child);
  const url = await said(ADDRESS);
  const { call, close } = createCaller(url, apiKey);
  await call('GET', '/ready');
  const startedAfter = performance.now() - started;
  return {
    url,
    pid,
    startedAfter,
    call,
    signInUrl: () => said(/http:\S+\/auth\/local\?token=[\w-]+(?=\s)/),
    residentMemory: () => residentMemory(pid),
    stop: async () => {
      close();
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await kill();
    },
  };
}

/** Ends a process at once, and waits until it has. */
export async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Without the settings of whoever measures, as of another embedder: only what is said here is measured. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('SVC_')));
}

/** Calls a service that runs elsewhere. */
interface Caller {
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): void;
}

/** @param sockets Connections kept open: that many calls may be under way at once. */
export function createCaller(url: string, apiKey: string, sockets = 1): Caller {
  const agent = new Agent({ keepAlive: true, maxSockets: sockets, timeout: IDLE_MS });
  return {
    call: (method, path, body) =>
      send(agent, { url: `${url}${path}`, method, apiKey, ...(body === undefined ? {} : { body }) }),
    close: () => agent.destroy(),
  };
}

/** Memory that a process holds, in MiB; Linux only: elsewhere there is no such file, and the benchmark says so. */
export async function residentMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** The first address that a process prints. */
export function addressOf(child: ChildProcess): Promise<string> {
  return listenTo(child)(ADDRESS);
}

/** Answers what a process prints, as soon as it prints something of that form. */
function listenTo(child: ChildProcess): (form: RegExp) => Promise<string> {
  let out = '';
  let err = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    err = (err + text).slice(-2_000);
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  return (form) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = form.exec(out)?.[0];
        if (found !== undefined) resolve(found);
      };
      child.stdout?.on('data', look);
      child.once('close', (code) => reject(new Error(`the service ended with ${code}: ${err}`)));
      look();
    });
}

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly apiKey: string;
  readonly body?: unknown;
}

/** The leanest client Node has, so that the service is measured and not its client. */
function send(agent: Agent, what: Sent): Promise<unknown> {
  const { url, method, apiKey, body } = what;
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
      },
    });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // A kept connection may be closed by the other side while a call is on its way: Node leaves the retry to us.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(agent, what));
      else reject(error);
    });
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.once('end', () => {
        const status = response.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${url} was answered with ${status}: ${text.slice(0, 500)}`));
      });
    });
    sent.end(payload);
  });
}
