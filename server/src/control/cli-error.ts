import { SvcError } from '@svc-memory/core/contract';
import { whyUnwritable } from '../backups/why-unwritable.ts';
import { ConfigError } from '../config/config.ts';

/** Exit codes: 1 something failed, 2 the command line or the configuration is wrong. */
export const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** A failure as a person reads it: what is wrong, and what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly fix: string | undefined;
  readonly exitCode: number;

  constructor(
    message: string,
    options: { fix?: string | undefined; exitCode?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.fix = options.fix;
    this.exitCode = options.exitCode ?? EXIT.failure;
  }
}

/**
 * What the system has against a file or folder, as a person reads it; any other error as it is.
 *
 * @param failed What was not done, without a full stop.
 */
export function explainUnwritable(error: unknown, failed: string, fix: string): unknown {
  const because = whyUnwritable(error);
  return because === undefined ? error : new CliError(`${failed}: ${because}.`, { fix, cause: error });
}

/** The lines that report an error, and the exit code it ends the process with. */
export function describeError(
  error: unknown,
  { stack }: { stack: boolean },
): { lines: string[]; exitCode: number } {
  if (error instanceof ConfigError) return { lines: error.mistakes.map(said), exitCode: EXIT.usage };
  const isFull = isDiskFull(error);
  const lines = [said(isFull ? 'The disk of the database is full.' : errorText(error))];
  const fix = isFull ? 'Make room there, then run the command again.' : fixOf(error);
  if (fix) lines.push(`     ${fix}`);
  if (stack && error instanceof Error) lines.push(...traces(error));
  return { lines, exitCode: error instanceof CliError ? error.exitCode : EXIT.failure };
}

/** Whether Postgres had no room: by SQLSTATE disk_full, or, where it has stopped by an io_error, by what the system said. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error && 'code' in error)) return false;
  return error.code === '53100' || (error.code === '58030' && /No space left on device/.test(error.message));
}

/** What an error says. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function said(message: string): string {
  return `svc: ${message.replaceAll(/\s*\n\s*/g, ' ')}`;
}

function fixOf(error: unknown): string | undefined {
  if (error instanceof Error && 'fix' in error && typeof error.fix === 'string') return error.fix;
  if (error instanceof SvcError && error.code === 'UNAUTHORIZED') {
    return 'Check SVC_API_KEY, or unset it to use the key in credentials.json. `npx svc-memory doctor` says more.';
  }
  return undefined;
}

function traces(error: Error): string[] {
  const cause = error.cause instanceof Error ? ['Caused by:', ...traces(error.cause)] : [];
  return [...(error.stack ?? '').split('\n'), ...cause];
}
