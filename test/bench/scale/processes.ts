import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { removedAtEnd } from '../clean-up.ts';
import { addressOf, killed, type Service, startService } from '../service.ts';

/**
 * The service over a database, as one of several `api` processes: background work, such as reflecting on all that was just
 * stored, is another process's.
 *
 * @param more Other `SVC_*` variables.
 */
export function startApi(
  databaseUrl: string,
  apiKey: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const settings = {
    SVC_DATABASE_URL: databaseUrl,
    SVC_REDIS_URL: '',
    SVC_LOG_LEVEL: 'warn',
    SVC_SECRET: 'a-secret-for-the-processes-of-a-benchmark',
    ...more,
  };
  return startService({ role: 'api', settings, apiKey });
}

/** A script that serves at an address. */
export interface Script {
  readonly url: string;
  readonly pid: number;
  stop(): void;
}

/** Starts a script that prints its address, such as `floor-server.ts`; it ends with this process at the latest. */
export async function startScript(file: URL, env: Readonly<Record<string, string>>): Promise<Script> {
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(file)], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const kill = removedAtEnd(() => killed(child));
  const stop = () => void kill();
  return { url: await addressOf(child), pid: child.pid ?? 0, stop };
}
