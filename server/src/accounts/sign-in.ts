import { LOCAL_OWNER_EMAIL, OAUTH_PROVIDERS } from '@svc-memory/core/contract';
import { humanOf } from '../access/credential.ts';
import { presentAgent } from './agents.ts';
import type { AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, libraryHeaders } from './library-call.ts';
import { endOwnSession, presentUser, startSession } from './session.ts';

/** Signs a human in with e-mail and password. POST /auth/login. */
export const login: AccountHandler<'login'> = async (dependencies, { input, request, response }) => {
  await dependencies.limits.attempt(request, response, input.email);
  const { email, password } = input;
  const call = { headers: libraryHeaders(request), returnHeaders: true } as const;
  const { headers, response: signedIn } = await dependencies.failedSignIns.noting(email, () =>
    callLibrary(dependencies, (api) =>
      email === LOCAL_OWNER_EMAIL
        ? api.signInOwner({ body: { password }, ...call })
        : api.signInEmail({ body: { email, password }, ...call }),
    ),
  );
  await startSession(dependencies.openAuth, request, response, headers);
  return { user: presentUser({ ...signedIn.user, email: signedIn.user.email }) };
};

/** Signs the human out. POST /auth/logout. */
export const logout: AccountHandler<'logout'> = async (dependencies, { request, response }) => {
  const { openAuth, readSession, sessionsEnded } = dependencies;
  const signedIn = await readSession(request, response);
  forwardCookies(await endOwnSession(openAuth, request), response);
  if (signedIn) sessionsEnded(signedIn.user.id);
  return {};
};

/** Answers who is signed in. GET /auth/session. */
export const session: AccountHandler<'session'> = async ({ engine }, { response }) => {
  const { user, expiresAt } = humanOf(response);
  const agents = await engine.accounts.agentsOf(user.id);
  return {
    user,
    agents: agents.map(presentAgent),
    expires_at: expiresAt.toISOString(),
    has_password: await engine.accounts.hasPassword(user.id),
  };
};

/** Answers what a sign-in page can offer. GET /auth/options. */
export const signInOptions: AccountHandler<'signInOptions'> = async (dependencies) => {
  const { engine, settings, emails, localLink } = dependencies;
  return {
    signup: settings.allowSignup,
    providers: OAUTH_PROVIDERS.filter((provider) => settings.oauth[provider] !== undefined),
    local_link: localLink,
    password: settings.allowSignup || (await engine.accounts.hasPassword()),
    password_reset: emails !== undefined,
  };
};
