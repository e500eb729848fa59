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
 * Reads the text of an option by the rule that the API has for the same.
 *
 * @param flag The option, such as `--user`.
 * @throws CliError with the code for wrong usage.
 */
export function readField(flag: string, schema: z.ZodType<string, string>): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text);
    if (read.success) return read.data;
    const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
    throw new CliError(`${flag} ${read.error.issues[0]?.message}, not ${JSON.stringify(shown)}.`, {
      exitCode: EXIT.usage,
    });
  };
}
