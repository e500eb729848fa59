import { SvcError } from '@svc-memory/core/contract';
import { presentAgent } from './agents.ts';
import type { AccountHandler } from './handler.ts';
import { callLibrary, forwardCookies, libraryHeaders } from './library-call.ts';
import { startOAuth } from './oauth.ts';
import { presentUser, startSession } from './session.ts';

/** Signs a human up, or starts an OAuth sign-in. POST /auth/signup. */
export const signup: AccountHandler<'signup'> = async (dependencies, { input, request, response }) => {
  const { engine, openAuth, settings, emails, limits } = dependencies;
  const { email, password, display_name: name, provider } = input;
  await limits.attempt(request, response, email);
  if (provider !== undefined) {
    const { headers, url } = await startOAuth(dependencies, provider, request);
    forwardCookies(headers, response);
    return { outcome: 'redirect', redirect_url: url };
  }
  if (!settings.allowSignup) throw new SvcError('FORBIDDEN', 'Sign-up is closed on this service.');
  if (email === undefined || password === undefined || name === undefined) {
    throw new TypeError('the contract asks for all three');
  }
  if (emails) await limits.mail(response, email);
  const signUp = () =>
    callLibrary(dependencies, (api) =>
      api.signUpEmail({
        body: { email, password, name },
        headers: libraryHeaders(request),
        returnHeaders: true,
      }),
    );
  if (emails?.requiresConfirmation) {
    await signUp().catch((error: unknown) => {
      // Of two sign-ups at once the second learns no more than it would have learned later.
      if (!(error instanceof SvcError && error.code === 'CONFLICT')) throw error;
    });
    return { outcome: 'queued' };
  }
  const { headers, response: made } = await signUp();
  await startSession(openAuth, request, response, headers);
  const [agent] = await engine.accounts.agentsOf(made.user.id);
  if (!agent) throw new TypeError('a new session makes the first agent');
  const human = engine.agent(agent.id, { source: 'human', credentialId: made.user.id });
  const { secret } = await human.createApiKey({ name: 'made at sign-up', scope: 'full' });
  return { outcome: 'created', user: presentUser(made.user), tenant: presentAgent(agent), api_key: secret };
};
