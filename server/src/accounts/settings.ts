import type { OAuthProvider } from '@svc-memory/core/contract';

/** How this service is known to an OAuth 2.0 provider. */
export interface OAuthClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** `https://…` of the OpenID Connect issuer; only for `oidc`. */
  readonly issuer?: string | undefined;
}

/** What an operator decides about accounts. */
export interface AccountSettings {
  /** Signs session cookies; at least 32 random characters, the same in every process. Default: random at each start. */
  readonly secret?: string;
  /** Whether unknown humans and wallets may sign up. Default false. */
  readonly allowSignup: boolean;
  /** OAuth providers set up; they need `publicUrl`. */
  readonly oauth: { readonly [Provider in OAuthProvider]?: OAuthClient };
  /** Sign-in attempts per minute for one account, and thrice as many from one address; 0 = no limit. Default 10. */
  readonly signInsPerMinute: number;
}
