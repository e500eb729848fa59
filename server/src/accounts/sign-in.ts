import { OAUTH_PROVIDERS } from '@svc-memory/core/contract';
import { humanOf } from '../access/credential.ts';
import { presentAgent } from './agents.ts';
import type { AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, libraryHeaders } from './library-call.ts';
import { endSession, presentUser, startSession } from './session.ts';

/** Signs a human in with e-mail and password. POST /auth/login. */
export const login: AccountHandler<'login'> = async (dependencies, { input, request, response }) => {
  await dependencies.limits.attempt(request, response, input.email);
  const { headers, response: signedIn } = await callLibrary(dependencies, (api) =>
    api.signInEmail({ body: input, headers: libraryHeaders(request), returnHeaders: true }),
  );
  await startSession(dependencies.openAuth, request, response, headers);
  return { user: presentUser({ ...signedIn.user, email: signedIn.user.email }) };
};

/** Signs the human out. POST /auth/logout. */
export const logout: AccountHandler<'logout'> = async ({ openAuth }, { request, response }) => {
  forwardCookies(await endSession(openAuth, request), response);
  return {};
};

/** Answers who is signed in. GET /auth/session. */
export const session: AccountHandler<'session'> = async ({ engine }, { response }) => {
  const { user, expiresAt } = humanOf(response);
  const agents = await engine.accounts.agentsOf(user.id);
  return { user, agents: agents.map(presentAgent), expires_at: expiresAt.toISOString() };
};

/** Answers what a sign-in page can offer. GET /auth/options. */
export const signInOptions: AccountHandler<'signInOptions'> = async ({ settings, emails, localLink }) => ({
  signup: settings.allowSignup,
  providers: OAUTH_PROVIDERS.filter((provider) => settings.oauth[provider] !== undefined),
  local_link: localLink,
  password_reset: emails !== undefined,
});
