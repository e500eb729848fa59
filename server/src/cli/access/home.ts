import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Environment } from '../../config/config.ts';
import { CliError } from '../../control/cli-error.ts';

/** The home folder of the user. */
export function homeOf(env: Environment): string {
  return resolve(env.HOME || env.USERPROFILE || homeOfAccount());
}

/** Where HOME is empty, `homedir` is, too: what belongs there would be written below the working directory. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    // A container may run under a user id that has no account.
    throw new CliError('This user has no home folder.', { fix: 'Set HOME.', cause: error });
  }
}
