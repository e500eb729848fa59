import { SvcError } from '@svc-memory/core/contract';
import type { AccountDependencies, AccountHandler } from './handler.ts';
import { callLibrary, headersOf } from './library-call.ts';

/** Sends the link that confirms an address again, where there is something to confirm. Design 5, POST /auth/verify. */
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

/** Sends a link to choose a new password. Design 5, POST /auth/reset. */
export const requestReset: AccountHandler<'requestReset'> = async (dependencies, call) => {
  const { limits } = dependencies;
  requireMail(dependencies);
  await limits.attempt(call.request, call.response);
  await limits.mail(call.response, call.input.email);
  await callLibrary(dependencies, (api) => api.requestPasswordReset({ body: { email: call.input.email } }));
  return { outcome: 'queued' };
};

/** Sets a new password with the token of a link. Design 5, POST /auth/reset/confirm. */
export const reset: AccountHandler<'reset'> = async (dependencies, { input, request, response }) => {
  await dependencies.limits.attempt(request, response);
  const body = { token: input.token, newPassword: input.password };
  await callLibrary(dependencies, (api) => api.resetPassword({ body, headers: headersOf(request) }));
  return {};
};

function requireMail({ letters }: AccountDependencies): void {
  if (letters) return;
  throw new SvcError('FORBIDDEN', 'This service sends no mail: its operator has not set SVC_SMTP_URL.');
}
