import { SvcError } from '@svc-memory/core/contract';
import type { Response } from 'express';
import { humanOf } from '../access/credential.ts';
import type { AccountDependencies, AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, libraryHeaders } from './library-call.ts';

/** Sends the link that confirms an address again, where there is something to confirm. POST /auth/verify. */
export const requestVerification: AccountHandler<'requestVerification'> = async (dependencies, call) => {
  const { limits } = dependencies;
  requireMail(dependencies);
  await limits.attempt(call.request, call.response);
  await limits.mail(call.response, call.input.email);
  await callLibrary(dependencies, (api) =>
    api.sendVerificationEmail({ body: { email: call.input.email }, headers: new Headers() }),
  );
  return { outcome: 'queued' };
};

/** Sends a link to choose a new password. POST /auth/reset. */
export const requestReset: AccountHandler<'requestReset'> = async (dependencies, call) => {
  const { limits } = dependencies;
  requireMail(dependencies);
  await limits.attempt(call.request, call.response);
  await limits.mail(call.response, call.input.email);
  await callLibrary(dependencies, (api) => api.requestPasswordReset({ body: { email: call.input.email } }));
  return { outcome: 'queued' };
};

/** Sets a new password with the token of a link. POST /auth/reset/confirm. */
export const reset: AccountHandler<'reset'> = async (dependencies, { input, request, response }) => {
  await dependencies.limits.attempt(request, response);
  const body = { token: input.token, newPassword: input.password };
  await callLibrary(dependencies, (api) => api.resetPassword({ body, headers: libraryHeaders(request) }));
  return {};
};

/**
 * Changes the password of who is signed in; the browser gets a new session, all others end. Who has none sets the first.
 * POST /auth/password.
 */
export const changePassword: AccountHandler<'changePassword'> = async (dependencies, call) => {
  const { input, request, response } = call;
  await dependencies.limits.attempt(request, response);
  const { current_password: currentPassword, password: newPassword } = input;
  const headers = libraryHeaders(request);
  if (currentPassword === undefined) {
    await callLibrary(dependencies, (api) => api.setPassword({ body: { newPassword }, headers }));
    await notePassword(dependencies, response);
    return {};
  }
  const body = { currentPassword, newPassword, revokeOtherSessions: true };
  const changed = await callLibrary(dependencies, (api) =>
    api.changePassword({ body, headers, returnHeaders: true }),
  );
  await notePassword(dependencies, response);
  forwardCookies(changed.headers, response);
  dependencies.sessionsEnded(humanOf(response).user.id);
  return {};
};

function notePassword({ engine }: AccountDependencies, response: Response): Promise<void> {
  return engine.accounts.audit(humanOf(response).user.id, 'password.changed', { method: 'password' });
}

function requireMail({ emails }: AccountDependencies): void {
  if (emails) return;
  throw new SvcError('FORBIDDEN', 'This service sends no mail: its operator has not set SVC_SMTP_URL.');
}
