import { parseInput, SvcError } from '@svc-memory/core/contract';
import { firstCharacters } from '@svc-memory/core/text';
import type { z } from 'zod';
import { CliError, EXIT } from '../../control/cli-error.ts';

const MOST_SHOWN = 60;

/**
 * Reads the name of a file or a folder. An empty one, such as of a variable that is not set, would name the current folder.
 *
 * @param named The option or argument, such as `--out`.
 * @throws CliError with the code for wrong usage.
 */
export function readFileName(named: string, what: 'file' | 'folder' = 'file'): (text: string) => string {
  return (text) => {
    if (text.trim() !== '') return text;
    throw new CliError(`${named} is an empty name.`, { fix: `Name a ${what}.`, exitCode: EXIT.usage });
  };
}

/**
 * Reads an option by the rule that the API has for the same.
 *
 * @param flag The option, such as `--user`.
 * @param convert Turns the text of the option into what the rule takes. Default: as it is.
 * @throws CliError with the code for wrong usage.
 */
export function readField<T>(
  flag: string,
  schema: z.ZodType<T>,
  convert: (text: string) => unknown = (text) => text,
): (text: string) => T {
  return (text) => {
    try {
      return parseInput(schema, convert(text));
    } catch (error) {
      if (!(error instanceof SvcError)) throw error;
      const shown = text.length > MOST_SHOWN ? `${firstCharacters(text, MOST_SHOWN)}…` : text;
      throw new CliError(`${flag} ${error.message}, not ${JSON.stringify(shown)}.`, {
        exitCode: EXIT.usage,
      });
    }
  };
}

/** The same for a number. */
export function readNumber<T>(flag: string, schema: z.ZodType<T>): (text: string) => T {
  // An empty text, as of a variable that is not set, is no zero.
  return readField(flag, schema, (text) => (text.trim() === '' ? Number.NaN : Number(text)));
}
