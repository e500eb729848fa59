import type { fields } from '@svc-memory/core/contract';
import { CliError, EXIT } from '../../control/cli-error.ts';

/**
 * Reads the id of a user from the option `--user`.
 *
 * @param schema What it may be: one user, or also `*`.
 * @throws CliError with the code for wrong usage.
 */
export function readUser(schema: typeof fields.userId | typeof fields.userOrAll): (text: string) => string {
  return (text) => {
    const read = schema.safeParse(text);
    if (read.success) return read.data;
    throw new CliError(`--user ${read.error.issues[0]?.message}, not ${JSON.stringify(text)}.`, {
      exitCode: EXIT.usage,
    });
  };
}
