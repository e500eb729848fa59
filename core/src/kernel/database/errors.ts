import { DrizzleQueryError } from 'drizzle-orm';
import { SvcError } from '../contract/errors.ts';
import { IO_ERROR } from './data-folder/log-sync.ts';

interface DriverFailure {
  readonly code?: string;
  readonly constraint?: string;
  readonly constraint_name?: string;
}

/** A failed query, without its text and values: these contain memories, and errors are logged. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  /** SQLSTATE or the driver's own code. */
  readonly code: string;
  readonly constraint: string | undefined;

  constructor(failure: DriverFailure) {
    super(`database query failed (${failure.code ?? 'unknown'})`);
    this.code = failure.code ?? 'unknown';
    this.constraint = failure.constraint ?? failure.constraint_name;
  }
}

const AWAY =
  /^(08|53|57P|58|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT|CONNECTION_)/;
// A password or certificate may change while the service runs.
const NOT_LET_IN = /^(28|3D000|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL|EPROTO|NO_TLS)/;
// What the Postgres driver gives no code for.
const CODES: readonly (readonly [message: RegExp, code: string])[] = [
  [
    /^(Connection terminated|timeout exceeded when trying to connect|Client (has encountered|was closed))/,
    'CONNECTION_LOST',
  ],
  [/^Query read timeout$/, 'ETIMEDOUT'],
  // PgBouncer's protocol errors all have one code.
  [/^transaction blocks not allowed in statement pooling mode/, 'STATEMENT_POOLING'],
  // There is no password, or it is not the server's.
  [/^SASL: /, '28P01'],
  [/^The server does not support SSL/, 'NO_TLS'],
];
// A limit of time that who runs the database has set: of a transaction between two statements or whole, of a lock, of a statement.
const TIMED_OUT = /^(25P03|25P04|55P03|57014)$/;
// As on a disk that is read-only.
const FILE_REFUSED = /^could not \w+ (file|directory) /;
const RETRIABLE = new Set(['40001', '40P01']);

/** What Postgres says of a disk without room. */
const DISK_FULL = '53100';

/** What Postgres says of a write where it takes none: on a standby, or set so by who runs it. */
const READ_ONLY = '25006';

/** What Postgres says of a file that it may not open for writing, and of a statement that a role may not run. */
const NOT_PERMITTED = '42501';

/** Why nothing can be written now to a database that can be read. */
const UNWRITABLE: Readonly<Record<string, string>> = {
  [DISK_FULL]: 'the disk of the database is full; make room on it',
  [READ_ONLY]: 'the database takes no changes now',
};

/** A write to a database that can only be read now. */
export class UnwritableError extends SvcError {
  /** Why, in words that may be shown. */
  readonly reason: string;

  constructor(reason: string, code: string) {
    super('UNAVAILABLE', `${reason} (${code})`);
    this.reason = reason;
  }
}

/** Whether a query failed for want of room on the disk. */
export function isFullDisk(error: unknown): boolean {
  const failure = error instanceof DrizzleQueryError ? error.cause : error;
  return failure instanceof Error && 'code' in failure && failure.code === DISK_FULL;
}

/** Translates a driver's error to `UNAVAILABLE` or a `DatabaseError`. Other errors pass unchanged. */
export function translateError(error: unknown): unknown {
  const failure = error instanceof DrizzleQueryError ? error.cause : error;
  if (failure instanceof SvcError || failure instanceof DatabaseError) return failure;
  if (!(failure instanceof Error)) return failure;
  const unnamed = CODES.find(([message]) => message.test(failure.message))?.[1];
  if (unnamed) return unavailable(unnamed);
  if (!('code' in failure) || typeof failure.code !== 'string') return failure;
  // As of a Unix socket whose server does not run. Of a file that is not there, ENOENT alone says something else.
  if ('syscall' in failure && failure.syscall === 'connect' && !AWAY.test(failure.code))
    return unavailable(`CONNECT_${failure.code}`);
  const unwritable = UNWRITABLE[failure.code];
  if (unwritable) return new UnwritableError(unwritable, failure.code);
  if (TIMED_OUT.test(failure.code))
    return new SvcError('UNAVAILABLE', `a time limit of the database ended the call (${failure.code})`);
  // Postgres opens its files for writing, also to read them.
  if (failure.code === IO_ERROR || (failure.code === NOT_PERMITTED && FILE_REFUSED.test(failure.message)))
    return new SvcError(
      'UNAVAILABLE',
      `the disk of the database fails, is full or read-only (${failure.code})`,
    );
  // What ends the connection says nothing of the statement: Pgpool-II says so, as an internal error, that its server has gone.
  const isFatal = 'severity' in failure && failure.severity === 'FATAL';
  if (isFatal || AWAY.test(failure.code) || NOT_LET_IN.test(failure.code)) return unavailable(failure.code);
  return new DatabaseError(failure as DriverFailure);
}

function unavailable(code: string): SvcError {
  const why = NOT_LET_IN.test(code)
    ? 'the database does not let the service in'
    : 'the database cannot be reached or is out of resources';
  return new SvcError('UNAVAILABLE', `${why} (${code})`);
}

/** The error for a transaction that others kept from ending however often it was run. */
export function contended(cause: unknown): SvcError {
  return new SvcError('UNAVAILABLE', 'Many calls change the same at once; try again shortly.', { cause });
}

/** Whether the whole transaction may be run again. */
export function isRetriable(error: unknown): boolean {
  return error instanceof DatabaseError && RETRIABLE.has(error.code);
}

/** Whether the error is a violation of the named unique index. */
export function violatesUnique(error: unknown, constraint: string): boolean {
  return violatesConstraint(error, '23505', constraint);
}

/** Whether the error has the code, and is a violation of the named constraint. */
export function violatesConstraint(error: unknown, code: string, constraint: string): boolean {
  const failure = translateError(error);
  return failure instanceof DatabaseError && failure.code === code && failure.constraint === constraint;
}
