import { SvcError } from '@svc-memory/core/contract';
import { TokenError } from '@svc-memory/core/server';
import type { ErrorRequestHandler } from 'express';

/** An error that OAuth has a name for, answered with status 400 (RFC 6749, section 5.2; RFC 7591, section 3.2.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Answers errors in the form that OAuth clients read. What OAuth has no name for goes on to the service's own handler. */
export const answerOAuthErrors: ErrorRequestHandler = (thrown: unknown, _request, response, next) => {
  const error = thrown instanceof SvcError && thrown.status === 400 ? asInvalidRequest(thrown) : thrown;
  if (!(error instanceof OAuthError || error instanceof TokenError)) {
    next(thrown);
    return;
  }
  response.locals.errorCode = 'VALIDATION_ERROR';
  response.status(400).json({ error: error.code, error_description: error.message });
};

function asInvalidRequest({ message }: SvcError): OAuthError {
  return new OAuthError('invalid_request', message);
}
