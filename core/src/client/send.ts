import { SvcError } from '../kernel/contract/errors.ts';
import type { ReadAnswer } from './answer.ts';
import type { Connection } from './options.ts';
import type { WireRequest } from './request.ts';

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/** Causes after which the request cannot have reached the service. */
export const NEVER_SENT: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** One attempt that brought no value. */
interface Failure {
  readonly error: SvcError;
  /** Whether the next attempt may do better. */
  readonly transient: boolean;
  /** Whether the service certainly did not carry the call out. */
  readonly untouched: boolean;
  /** How long the service asked to wait, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Sends a request, again where that is safe and promising, until an answer is there or the time is up.
 *
 * @throws SvcError the service's error, or `UNAVAILABLE`; the signal's reason when the caller aborted.
 */
export async function send(
  connection: Connection,
  request: WireRequest,
  read: (response: Response) => Promise<ReadAnswer>,
  signal?: AbortSignal,
): Promise<object> {
  const started = performance.now();
  const expiry = new AbortController();
  const timer = setTimeout(() => expiry.abort(), connection.timeoutMs);
  const either = signal ? AbortSignal.any([signal, expiry.signal]) : expiry.signal;
  try {
    for (let attempt = 0; ; attempt += 1) {
      const result = await once(connection, request, read, either);
      if ('value' in result) return result.value;
      signal?.throwIfAborted();
      if (expiry.signal.aborted) throw timedOut(connection, result);
      const again = result.transient && (request.repeatable || result.untouched);
      if (!again || attempt >= connection.retries) throw result.error;
      const pause = result.retryAfterMs ?? backoff(attempt);
      // Waiting past the deadline would only replace the service's error by a vaguer one.
      if (performance.now() - started + pause >= connection.timeoutMs) throw result.error;
      await connection.delay(pause, either);
      signal?.throwIfAborted();
      if (expiry.signal.aborted) throw timedOut(connection, result);
    }
  } finally {
    clearTimeout(timer);
  }
}

async function once(
  connection: Connection,
  request: WireRequest,
  read: (response: Response) => Promise<ReadAnswer>,
  signal: AbortSignal,
): Promise<{ value: object } | Failure> {
  try {
    const response = await connection.fetch(request.url, { ...request.init, signal });
    const answer = await read(response);
    if ('value' in answer) return answer;
    return {
      ...answer,
      // Not 503: the database may go away at the commit, and what was written is there all the same.
      untouched: response.status === 429,
      retryAfterMs: retryAfter(response.headers.get('Retry-After')),
    };
  } catch (cause) {
    const code = networkCode(cause);
    return {
      error: unreachable(connection, code, cause),
      transient: true,
      untouched: code !== undefined && NEVER_SENT.has(code),
    };
  }
}

/** Doubles with each attempt; half of it random, so that many clients do not come back in step. */
function backoff(attempt: number): number {
  const full = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt);
  return full / 2 + Math.random() * (full / 2);
}

/** Milliseconds of a `Retry-After` header: seconds or an HTTP date. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** The system's code under the "fetch failed" of Node; browsers tell none. */
function networkCode(error: unknown): string | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth += 1) {
    if ('code' in cause && typeof cause.code === 'string') return cause.code;
  }
  return undefined;
}

function unreachable({ url }: Connection, code: string | undefined, cause: unknown): SvcError {
  const reason = code ? ` (${code})` : '';
  const message =
    code === undefined || NEVER_SENT.has(code)
      ? `The Agent Memory Service at ${url} cannot be reached${reason}. Start it, or set url (SVC_API_URL) to where it runs.`
      : `The connection to the Agent Memory Service at ${url} broke${reason}. Check that it runs and try again.`;
  return new SvcError('UNAVAILABLE', message, { cause });
}

function timedOut({ url, timeoutMs }: Connection, last: Failure): SvcError {
  return new SvcError(
    'UNAVAILABLE',
    `The Agent Memory Service at ${url} did not answer within ${timeoutMs} ms. Check that it runs, or raise timeoutMs.`,
    { cause: last.error },
  );
}
