import { SvcError } from '../../kernel/contract/errors.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { GuardianEntry } from '../records/contract.ts';
import type { fileRoutes } from './contract.ts';

/** What a command answers. */
export type CommandAnswer = OutputOf<typeof fileRoutes.fileCommand>;

/** The error of `view`, and of `str_replace` with `Error: ` before it. */
export function noPath(path: string, prefix = ''): SvcError {
  return new SvcError('NOT_FOUND', `${prefix}The path ${path} does not exist. Please provide a valid path.`);
}

/** The error of the other commands. */
export function noFile(path: string): SvcError {
  return new SvcError('NOT_FOUND', `Error: The path ${path} does not exist`);
}

export function exists(path: string): SvcError {
  return new SvcError('CONFLICT', `Error: File ${path} already exists`);
}

/** What is wrong with the arguments, where the path does not say it. */
export function refused(message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', message);
}

/** The answer about a change that waits with the Guardian. */
export function waits(what: string, entry: GuardianEntry, meanwhile: string): CommandAnswer {
  const until = entry.status === 'cooling' ? ` (a harmless one until ${entry.cooling_until})` : '';
  return {
    outcome: 'queued',
    text: `${what} waits for your human, who decides on what says who you are${until}. ${meanwhile}`,
    entry,
  };
}
