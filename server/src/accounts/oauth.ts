import { type OAuthProvider, SvcError } from '@svc-memory/core/contract';
import type { Request } from 'express';
import { searchParamsOf } from '../request/query.ts';
import type { AccountDependencies } from './handler.ts';
import { callLibrary, libraryHeaders } from './library-call.ts';

/** Where a browser goes after an OAuth sign-in. It is fixed: a request cannot redirect the browser elsewhere. */
const HOME = '/';

/** Starts a sign-in at a provider: where to send the browser, and the cookie that ties the answer to it. */
export async function startOAuth(
  dependencies: AccountDependencies,
  provider: OAuthProvider,
  request: Request,
): Promise<{ headers: Headers; url: string }> {
  if (!dependencies.settings.oauth[provider]) {
    throw new SvcError('FORBIDDEN', `Sign-in with ${provider} is not set up on this service.`);
  }
  const shared = { callbackURL: HOME, errorCallbackURL: HOME, disableRedirect: true };
  const headers = libraryHeaders(request);
  const { headers: answered, response } = await callLibrary(dependencies, (api) =>
    provider === 'oidc'
      ? api.signInWithOAuth2({ body: { providerId: provider, ...shared }, headers, returnHeaders: true })
      : api.signInSocial({ body: { provider, ...shared }, headers, returnHeaders: true }),
  );
  if (!response.url) throw new TypeError('an OAuth sign-in starts with an address');
  return { headers: answered, url: response.url };
}

/** Ends a sign-in with what the provider sent the browser back with; answers the library's redirect. */
export async function finishOAuth(
  { openAuth }: AccountDependencies,
  provider: string,
  request: Request,
): Promise<Response> {
  const query = Object.fromEntries(searchParamsOf(request.originalUrl));
  const headers = libraryHeaders(request);
  const { api } = await openAuth();
  return provider === 'oidc'
    ? api.oAuth2Callback({ params: { providerId: provider }, query, headers, asResponse: true })
    : api.callbackOAuth({ method: 'GET', params: { id: provider }, query, headers, asResponse: true });
}
