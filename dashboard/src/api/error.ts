import type { ErrorDetails, FieldIssue } from '@svc-memory/core/contract';

/** A call that did not succeed. `code` is one of the service's, or `OFFLINE` where it was not reached. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly requestId?: string,
    readonly details?: ErrorDetails,
  ) {
    super(message);
  }

  /** Mistakes by form field, for `form.setErrors`. */
  get fields(): Record<string, string> {
    if (!Array.isArray(this.details)) return {};
    const issues: readonly FieldIssue[] = this.details;
    return Object.fromEntries(issues.map(({ path, message }) => [path, capital(message)]));
  }
}

/** What to tell a human about anything thrown. */
export function explain(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
