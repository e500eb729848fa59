import type { GenericOAuthConfig } from 'better-auth/plugins/generic-oauth';
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

/** Where an OpenID Connect issuer says how to sign in: https://openid.net/specs/openid-connect-discovery-1_0.html */
export function discoveryUrl(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
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
      discoveryUrl: discoveryUrl(issuer),
      redirectURI: `${callbackUrl}/oidc`,
      scopes: ['openid', 'profile', 'email'],
      pkce: true,
      disableSignUp: !allowSignup,
      // Issuers need not tell a name, and the library wants one.
      mapProfileToUser: (profile) => ({ name: profile.name || profile.preferred_username || profile.email }),
    },
  ];
}
