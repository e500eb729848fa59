import { type Config, ConfigError } from './config.ts';

/** What a process of the service does. */
export const ROLES = ['all', 'api', 'worker'] as const;

/** `api` answers calls, `worker` does the background work, `all` does both. */
export type Role = (typeof ROLES)[number];

/**
 * Checks that processes of different roles can work together.
 *
 * @throws ConfigError that names each setting they must share.
 */
export function checkRole(role: Role, config: Pick<Config, 'databaseUrl' | 'secret' | 'embedder'>): void {
  if (role === 'all') return;
  const mistakes: string[] = [];
  if (config.databaseUrl === undefined) {
    mistakes.push(
      `SVC_DATABASE_URL must be set for --role ${role}: the embedded database serves one process, with --role all`,
    );
  }
  if (config.secret === undefined) {
    mistakes.push(
      `SVC_SECRET must be set for --role ${role}, to the same text for all processes: without it a worker cannot sign webhooks`,
    );
  }
  if (config.embedder === 'auto') {
    mistakes.push(
      `SVC_EMBEDDER must name a model for --role ${role}: auto goes by what is on one machine, and all processes need the same vectors`,
    );
  }
  if (mistakes.length > 0) throw new ConfigError(mistakes);
}
