import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const RELEASES = '/usr/lib/postgresql';
const AS_ROOT = process.getuid?.() === 0;

/** A Postgres server of the harness's own, which it may restart and crash. */
export interface PostgresServer {
  /** Address of its database `postgres`. */
  readonly url: string;
  readonly folder: string;
  start(): Promise<void>;
  /** `fast` ends connections and shuts down; `immediate` crashes it. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  remove(): Promise<void>;
}

function programs(): string {
  const found = readdirSync(RELEASES)
    .map((release) => join(RELEASES, release, 'bin'))
    .filter((folder) => existsSync(join(folder, 'initdb')))
    .sort();
  const newest = found.at(-1);
  if (!newest) throw new Error(`PostgreSQL's programs are not below ${RELEASES}; .ci/install installs them`);
  return newest;
}

// PostgreSQL refuses to run as root.
async function asPostgres(program: string, args: readonly string[]): Promise<void> {
  const [file, list] = AS_ROOT
    ? ['runuser', ['-u', 'postgres', '--', program, ...args]]
    : [program, [...args]];
  await run(file, list, { cwd: tmpdir() });
}

/** Makes and starts a server that trusts this machine, with data in a new folder or in the one given. */
export async function startPostgresServer(place?: string): Promise<PostgresServer> {
  const bin = programs();
  const parent = place ?? (await mkdtemp(join(tmpdir(), 'svc-faults-pg-')));
  await chmod(parent, 0o777);
  const folder = join(parent, 'data');
  const port = await freePort();
  await asPostgres(join(bin, 'initdb'), [
    `--pgdata=${folder}`,
    '--username=svc',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ]);
  await appendFile(
    join(folder, 'postgresql.conf'),
    [
      "listen_addresses = '127.0.0.1'",
      `port = ${port}`,
      "unix_socket_directories = ''",
      'max_connections = 100',
      'min_wal_size = 32MB',
      'max_wal_size = 64MB',
      '',
    ].join('\n'),
  );
  const control = (...args: string[]) =>
    asPostgres(join(bin, 'pg_ctl'), [`--pgdata=${folder}`, '--wait', ...args]);
  const server: PostgresServer = {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    folder,
    start: () => control(`--log=${join(parent, 'log')}`, 'start'),
    stop: (mode) => control(`--mode=${mode}`, 'stop'),
    remove: async () => {
      await server.stop('immediate').catch(() => {});
      await rm(parent, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}
