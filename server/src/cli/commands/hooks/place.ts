import { userInfo } from 'node:os';
import { dirname, resolve } from 'node:path';
import { findHooks, type Installation } from '@svc-memory/hooks';
import { loadConfig } from '../../../config/config.ts';
import { CliError } from '../../../control/cli-error.ts';
import { credentialsPath } from '../../access/credentials.ts';
import type { CommandContext } from '../../console/command.ts';

/** Options that say where hooks are: one project, or, without it, all of a user's. */
export interface PlaceOptions {
  readonly dir?: string;
}

/** Where to look for installed hooks: without `--dir` in the project, and then among those of the user. */
export function placesToLook(env: CommandContext['env'], dir: string | undefined): Installation[] {
  if (dir !== undefined) return [installationOf(env, dir)];
  const ofUser = installationOf(env, undefined);
  return [installationOf(env, findProject(process.cwd(), ofUser)), ofUser];
}

/** The nearest folder with hooks, from the working directory upwards and below the user's home; else the working directory. */
function findProject(workingDirectory: string, ofUser: Installation): string {
  for (let folder = workingDirectory; folder !== ofUser.userHome; folder = dirname(folder)) {
    if (findHooks({ ...ofUser, project: folder }).length > 0) return folder;
    if (folder === dirname(folder)) break;
  }
  return workingDirectory;
}

/** Where the hooks of a command line belong. */
export function installationOf(env: CommandContext['env'], dir: string | undefined): Installation {
  return {
    userHome: resolve(env.HOME || env.USERPROFILE || homeOfAccount()),
    project: dir === undefined ? undefined : resolve(dir),
    env,
    credentials: credentialsPath(loadConfig(env).dataDir),
    platform: process.platform,
  };
}

/** Where HOME is empty, `homedir` is, too: the settings would be written below the working directory. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    // A container may run under a user id that has no account.
    throw new CliError('This user has no home folder.', {
      fix: 'Set HOME, or name a project: --dir',
      cause: error,
    });
  }
}
