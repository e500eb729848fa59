import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { queryPostgres } from '@svc-memory/core/testing';
import { freePort } from '../kit/listen.ts';

/** A PgBouncer of a test's own. */
export interface PgBouncer {
  /** The address of a database on the server behind it, through it. */
  through(databaseUrl: string): string;
  stop(): Promise<void>;
}

/** True where PgBouncer is installed. */
export function hasPgBouncer(): boolean {
  try {
    execFileSync('pgbouncer', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts PgBouncer in transaction mode before a server that trusts this machine.
 *
 * @param poolSize Server connections for each database and user; fewer than clients, so that they are shared.
 */
export async function startPgBouncer(serverUrl: string, poolSize: number): Promise<PgBouncer> {
  const server = new URL(serverUrl);
  const folder = await mkdtemp(join(tmpdir(), 'svc-pgbouncer-'));
  const port = await freePort();
  const settings = join(folder, 'pgbouncer.ini');
  const user = decodeURIComponent(server.username) || 'postgres';
  await writeFile(
    settings,
    `[databases]
* = host=${server.hostname} port=${server.port || 5432} user=${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
ignore_startup_parameters = extra_float_digits
`,
  );
  // It refuses to run as root, and then runs as PostgreSQL's user, who must be able to read this.
  await chmod(folder, 0o755);
  const asRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', [...(asRoot ? ['--user=postgres'] : []), '--quiet', settings], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  const through = (databaseUrl: string) => {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${port}`;
    return url.href;
  };
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  for (let attempt = 0; ; attempt += 1) {
    try {
      await queryPostgres(through(serverUrl), 'SELECT 1');
      return { through, stop };
    } catch (error) {
      if (attempt === 100 || child.exitCode !== null) {
        await stop();
        throw error;
      }
      await setTimeout(50);
    }
  }
}
