import { SvcError } from '../../kernel/contract/errors.ts';
import { characterCount, LIMITS } from '../../kernel/contract/fields.ts';
import type { OutputOf } from '../../kernel/contract/route.ts';
import type { GuardianEntry } from '../records/contract.ts';
import type { fileRoutes } from './contract.ts';

export type CommandAnswer = OutputOf<typeof fileRoutes.fileCommand>;

/** The error of `view`, and of `str_replace` with `Error: ` before it. */
export function noPath(path: string, prefix = ''): SvcError {
  return new SvcError('NOT_FOUND', `${prefix}The path ${path} does not exist. Please provide a valid path.`);
}

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

/**
 * The text of a file as it is kept: a file is one memory.
 *
 * @throws SvcError `VALIDATION_ERROR` where it is blank, too long for one memory, or no text.
 */
export function requireText(path: string, asked: string): string {
  const text = asked.replace(/^\uFEFF+/, '');
  if (text.trim() === '') {
    throw refused(`Error: ${path} would hold no text. Write at least a word, or delete the file`);
  }
  const characters = characterCount(text);
  if (characters > LIMITS.contentCharacters) {
    const [is, most] = [characters, LIMITS.contentCharacters].map((count) => count.toLocaleString('en-US'));
    throw refused(
      `Error: ${path} would hold ${is} characters; a file holds at most ${most}. Split it into several files`,
    );
  }
  return text;
}
