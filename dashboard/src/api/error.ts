import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { ErrorDetails, FieldIssue } from '@svc-memory/core/contract';
import { escapeUnseen } from '@svc-memory/core/text';
import { isKnown, serverText } from '../language/server-text.ts';

/**
 * A failed call. `code` is one of the service's error codes, `OFFLINE` if the service was not reached, or `UNREADABLE` for a file.
 */
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
  return Object.fromEntries(issuesOf(error).map(({ path, message }) => [path, capital(serverText(message))]));
}

/** Whether a form with these fields shows all that the service says against what was sent. */
export function isSaidAtFields(error: unknown, fields: readonly string[]): boolean {
  const issues = issuesOf(error);
  return issues.length > 0 && issues.every(({ path }) => fields.includes(path));
}

function issuesOf(error: unknown): readonly FieldIssue[] {
  return error instanceof ApiError && Array.isArray(error.details) ? error.details : [];
}

/** What a human reads whose session has ended while they used the dashboard. */
export const SESSION_ENDED = t`Your session has ended. Sign in again to go on.`;

/** What the codes of errors mean, for messages without a translation of their own. */
const CODES: Readonly<Record<string, string>> = {
  VALIDATION_ERROR: t`The service does not take this.`,
  UNAUTHORIZED: t`The link or the password is wrong.`,
  FORBIDDEN: t`This is not allowed.`,
  GUARDIAN_PROTECTED: t`This memory is protected. Something about it waits for a decision.`,
  NOT_FOUND: t`This does not exist any more.`,
  CONFLICT: t`This does not go together with what is there.`,
  PAYLOAD_TOO_LARGE: t`This is too large.`,
  UNSUPPORTED_MEDIA_TYPE: t`The service does not take this kind of file.`,
  RATE_LIMITED: t`That was too often. Try again in a moment.`,
  QUOTA_EXCEEDED: t`The operations of the plan are used up.`,
  UNAVAILABLE: t`The service cannot do this now. Try again shortly.`,
  INTERNAL: t`The service has failed.`,
};

/** Whether a call failed because nobody is signed in any more. Before the sign-in it means that what was sent is wrong. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401;
}

/** Whether no answer came to a call: the service was not reached, or the answer was lost on the way back. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'OFFLINE';
}

/** Returns what to tell a human about an error: in their language as far as there is a translation. */
export function explain(error: unknown): string {
  // The service says there what a program should send.
  if (isSignedOut(error)) return SESSION_ENDED;
  return explainToVisitor(error);
}

/** As `explain`, on the pages before the sign-in. */
export function explainToVisitor(error: unknown): string {
  if (!(error instanceof Error)) return t`Something went wrong.`;
  const message = escapeUnseen(error.message);
  const isOurs = !(error instanceof ApiError) || error.status === 0;
  if (isOurs || i18n.locale === 'en' || isKnown(message)) return serverText(message);
  const issues = issuesOf(error);
  // The message is made of them.
  if (issues.length > 0) {
    return issues
      .map(({ path, message }) => (path ? `${path}: ` : '') + serverText(escapeUnseen(message)))
      .join('; ');
  }
  const meaning = CODES[error.code];
  return meaning === undefined ? message : `${meaning} (${message})`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
