import { type OAuthProvider, SvcError } from '@svc-memory/core/contract';
import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
import type { Request } from 'express';
import type { AccountDependencies } from './handler.ts';
import { callLibrary, headersOf } from './library-call.ts';
import type { AccountSettings } from './settings.ts';

/** Paths of the OAuth callbacks end in the provider's name. */
export const CALLBACK_PATH = '/auth/callback';

interface ProviderOptions {
  readonly oauth: AccountSettings['oauth'];
  /** Whether unknown humans may sign up. */
  readonly allowSignup: boolean;
  /** Address of the callbacks without the provider's name. */
  readonly callbackUrl: string;
}

/** Google and GitHub, as far as they are set up: the library knows both. */
export function socialProviders({ oauth: { google, github }, allowSignup, callbackUrl }: ProviderOptions) {
  const settingsOf = (
    name: string,
    { clientId, clientSecret }: { clientId: string; clientSecret: string },
  ) => ({
    clientId,
    clientSecret,
    redirectURI: `${callbackUrl}/${name}`,
    disableSignUp: !allowSignup,
  });
  return {
    ...(google ? { google: settingsOf('google', google) } : {}),
    ...(github ? { github: settingsOf('github', github) } : {}),
  };
}

/** Any other OpenID Connect issuer, by its discovery document. */
export function oidcProviders({
  oauth: { oidc },
  allowSignup,
  callbackUrl,
}: ProviderOptions): GenericOAuthConfig[] {
  if (oidc?.issuer === undefined) return [];
  const { clientId, clientSecret, issuer } = oidc;
  return [
    {
      providerId: 'oidc',
      clientId,
      clientSecret,
      issuer,
      discoveryUrl: `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      redirectURI: `${callbackUrl}/oidc`,
      scopes: ['openid', 'profile', 'email'],
      pkce: true,
      disableSignUp: !allowSignup,
      // Issuers need not tell a name, and the library wants one.
      mapProfileToUser: (profile) => ({ name: profile.name || profile.preferred_username || profile.email }),
    },
  ];
}

/** Where a browser goes after an OAuth sign-in, whatever the request says: nobody can send it elsewhere. */
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
  const headers = headersOf(request);
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
  const query = Object.fromEntries(new URL(request.originalUrl, 'http://localhost').searchParams);
  const headers = headersOf(request);
  const { api } = await openAuth();
  return provider === 'oidc'
    ? api.oAuth2Callback({ params: { providerId: provider }, query, headers, asResponse: true })
    : api.callbackOAuth({ method: 'GET', params: { id: provider }, query, headers, asResponse: true });
}
