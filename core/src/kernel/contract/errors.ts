/** Every error the service answers with: its HTTP status and what the caller can do about it. */
export const ERROR_TABLE = {
  VALIDATION_ERROR: { status: 400, fix: 'Correct the fields named in `details` and send the request again.' },
  UNAUTHORIZED: { status: 401, fix: 'Send `Authorization: Bearer <API key>` with a valid key.' },
  FORBIDDEN: { status: 403, fix: 'This action is not allowed with these credentials or on this memory.' },
  GUARDIAN_PROTECTED: {
    status: 403,
    fix: 'Wait until the pending change in `details` is decided, or withdraw it.',
  },
  NOT_FOUND: { status: 404, fix: 'Check the path and the id.' },
  METHOD_NOT_ALLOWED: { status: 405, fix: 'Use one of the methods in the `Allow` header.' },
  CONFLICT: { status: 409, fix: 'Read the current state and try again.' },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    fix: 'Send less at once; use the batch or import endpoint for many memories.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, fix: 'Send `Content-Type: application/json` in UTF-8.' },
  RATE_LIMITED: { status: 429, fix: 'Wait for the seconds in `Retry-After`.' },
  QUOTA_EXCEEDED: { status: 429, fix: 'Wait for the next month or change the plan.' },
  INTERNAL: { status: 500, fix: 'Try again; if it persists, report the `request_id`.' },
  UNAVAILABLE: { status: 503, fix: 'Try again shortly.' },
} as const satisfies Record<string, { status: number; fix: string }>;

/** How the answer to a path that no route has begins: by it a client knows that its address is wrong, not an id. */
export const NO_SUCH_PATH = 'There is no such path.';

/** One of the codes in `error.code`. */
export type ErrorCode = keyof typeof ERROR_TABLE;

/** One mistake in a request: where it is (`memories.3.tags.0`) and how to mend it. */
export interface FieldIssue {
  readonly path: string;
  readonly message: string;
}

/** What an error carries beside code and message: field issues for `VALIDATION_ERROR`, otherwise facts of the case. */
export type ErrorDetails = readonly FieldIssue[] | Readonly<Record<string, unknown>>;

/** Marks errors of every copy of this package that a process has loaded. */
const MARK = Symbol.for('@svc-memory/core SvcError');

/**
 * The one error class of the service: thrown by the engine, mapped to HTTP by the server, rebuilt by the client. `instanceof` also
 * knows those of another copy of this package, as an adapter may have one, or a development server that loads modules anew.
 *
 * `details` holds `{path, message}[]` for `VALIDATION_ERROR`, the queue entry for `GUARDIAN_PROTECTED`.
 */
export class SvcError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: a class that extends this one has instances of its own.
    if (this !== SvcError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && MARK in value;
  }

  override readonly name = 'SvcError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly details?: ErrorDetails;
  /** Set on errors that came over the network: quote it when reporting a problem. */
  readonly requestId?: string;

  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: ErrorDetails; cause?: unknown; requestId?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = ERROR_TABLE[code].status;
    if (options.details !== undefined) this.details = options.details;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }
}

Object.defineProperty(SvcError.prototype, MARK, { value: true });

/** A `VALIDATION_ERROR` for one field. */
export function invalid(path: string, message: string): SvcError {
  return new SvcError('VALIDATION_ERROR', `${path}: ${message}`, { details: [{ path, message }] });
}
