import type { ErrorDetails, FieldIssue } from '@svc-memory/core/contract';
import { escapeUnseen } from '@svc-memory/core/text';

/** A failed call. `code` is one of the service's error codes, or `OFFLINE` if the service was not reached. */
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
}

/** Returns the service's messages by field name, for `form.setErrors`. */
export function fieldErrors(error: unknown): Record<string, string> {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return {};
  const issues: readonly FieldIssue[] = error.details;
  return Object.fromEntries(issues.map(({ path, message }) => [path, capital(message)]));
}

/** Returns what to tell a human about an error. */
export function explain(error: unknown): string {
  return error instanceof Error ? escapeUnseen(error.message) : 'Something went wrong.';
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
