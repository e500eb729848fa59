import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Installation } from '@svc-memory/hooks';
import { loadConfig } from '../config.ts';
import { CREDENTIALS_FILE } from '../credentials.ts';
import type { CommandContext } from './context.ts';

/** Options that say where hooks are: one project, or, without it, all of a user's. */
export interface PlaceOptions {
  readonly dir?: string;
}

/** Where the hooks of a command line belong. */
export function installationOf(env: CommandContext['env'], dir: string | undefined): Installation {
  return {
    userHome: env.HOME || env.USERPROFILE || homedir(),
    project: dir === undefined ? undefined : resolve(dir),
    env,
    credentials: join(loadConfig(env).dataDir, CREDENTIALS_FILE),
    platform: process.platform,
  };
}
