import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { queryPostgres } from '@svc-memory/core/testing';
import { freePort } from '../../kit/listen.ts';
import { eventually } from './events.ts';

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

/** A copy of a server that follows it by streaming replication. */
export interface Standby extends PostgresServer {
  /** Makes it a primary, which takes writes. */
  promote(): Promise<void>;
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
  const server = controlOf(bin, parent, port);
  await server.start();
  return server;
}

/** Makes and starts a standby, and has the primary acknowledge no commit that the standby does not have on its disk. */
export async function addStandby(primary: PostgresServer, port: number): Promise<Standby> {
  const bin = programs();
  const parent = await mkdtemp(join(tmpdir(), 'svc-faults-pg-'));
  await chmod(parent, 0o777);
  const folder = join(parent, 'data');
  await asPostgres(join(bin, 'pg_basebackup'), [
    `--dbname=${primary.url}`,
    `--pgdata=${folder}`,
    '--write-recovery-conf',
    '--checkpoint=fast',
    '--no-sync',
  ]);
  // The last value of a setting counts.
  await appendFile(join(folder, 'postgresql.conf'), `port = ${port}\n`);
  const standby = controlOf(bin, parent, port);
  await standby.start();
  await queryPostgres(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryPostgres(primary.url, 'SELECT pg_reload_conf()');
  await eventually(async () => {
    const [found] = await queryPostgres(primary.url, 'SELECT sync_state FROM pg_stat_replication');
    return found?.sync_state === 'sync';
  }, 60_000);
  return {
    ...standby,
    promote: () => asPostgres(join(bin, 'pg_ctl'), [`--pgdata=${folder}`, '--wait', 'promote']),
  };
}

function controlOf(bin: string, parent: string, port: number): PostgresServer {
  const folder = join(parent, 'data');
  const control = (...args: string[]) =>
    asPostgres(join(bin, 'pg_ctl'), [`--pgdata=${folder}`, '--wait', ...args]);
  const stop = (mode: 'fast' | 'immediate') => control(`--mode=${mode}`, 'stop');
  return {
    url: `postgres://svc@127.0.0.1:${port}/postgres`,
    folder,
    start: () => control(`--log=${join(parent, 'log')}`, 'start'),
    stop,
    remove: async () => {
      await stop('immediate').catch(() => {});
      await rm(parent, { recursive: true, force: true });
    },
  };
}
