import { randomUUID } from 'node:crypto';
import { type Engine, userLogins, userSessions, users, userVerifications } from '@svc-memory/core';
import { PASSWORD_LENGTH } from '@svc-memory/core/contract';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Logger } from 'pino';
import type { Letters } from './letters.ts';
import { CALLBACK_PATH, oidcProviders, socialProviders } from './oauth.ts';
import { sessionOpener } from './session-opener.ts';
import type { AccountSettings } from './settings.ts';

/** What the sign-in library is set up with. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings: AccountSettings & { readonly secret: string };
  /** `https://…` without a slash at the end; makes cookies `Secure`, and OAuth possible. */
  readonly publicUrl: string | undefined;
  readonly letters: Letters | undefined;
}

const HOUR_S = 3_600;
const API = '/api/v1';

type LibraryOptions = BetterAuthOptions & {
  plugins: [ReturnType<typeof genericOAuth>, typeof sessionOpener];
};

/** The sign-in library as our routes call it. */
export type Auth = ReturnType<typeof betterAuth<LibraryOptions>>;

/** Sets the sign-in library up, once it is needed: many services never see a sign-in, and its code is large. */
export type OpenAuth = () => Promise<Auth>;

/** Sets the sign-in library up. It is called by our routes and never mounted: only what they offer is reachable. */
export function createAuth({ engine, logger, settings, publicUrl, letters }: AuthOptions): Auth {
  const base = publicUrl ?? 'http://localhost';
  const { secret, allowSignup, oauth } = settings;
  const providers = { oauth, allowSignup, callbackUrl: `${base}${API}${CALLBACK_PATH}` };
  return betterAuth<LibraryOptions>({
    appName: 'Agent Memory Service',
    baseURL: `${base}${API}/auth`,
    secret,
    telemetry: { enabled: false },
    // Messages of the library may quote what a caller sent.
    logger: {
      level: 'error',
      log: (_level, _message, ...facts) =>
        logger.error({ err: facts.find((fact) => fact instanceof Error) }, 'the sign-in library failed'),
    },
    database: drizzleAdapter(engine.database.accounts, {
      provider: 'pg',
      schema: { user: users, session: userSessions, account: userLogins, verification: userVerifications },
      transaction: true,
    }),
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: 7 * 24 * HOUR_S, updateAge: 24 * HOUR_S },
    advanced: {
      cookiePrefix: 'svc',
      useSecureCookies: base.startsWith('https:'),
      // Not even a link from another site carries it: several GET routes change something, such as boot.
      cookies: { session_token: { attributes: { sameSite: 'strict' } } },
      database: { generateId: () => randomUUID() },
    },
    // Our own limits and origin checks stand before every call.
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: !allowSignup,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      requireEmailVerification: letters?.confirms === true,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR_S,
      ...(letters && {
        sendResetPassword: async ({ user, token }) => letters.resetPassword(user.email, token),
        // Whoever followed a link in a mail has the address; who signed up with it before may have been somebody else.
        onPasswordReset: ({ user }) => engine.accounts.confirmAddress(user.id),
        onExistingUserSignUp: async ({ user }) => letters.knownAddress(user.email),
      }),
    },
    ...(letters && {
      emailVerification: {
        sendOnSignUp: true,
        autoSignInAfterVerification: true,
        expiresIn: HOUR_S,
        sendVerificationEmail: async ({ user, token }) => letters.confirmAddress(user.email, token),
      },
    }),
    account: { encryptOAuthTokens: true, accountLinking: { requireLocalEmailVerified: true } },
    socialProviders: socialProviders(providers),
    plugins: [genericOAuth({ config: oidcProviders(providers) }), sessionOpener],
    databaseHooks: {
      session: { create: { after: ({ userId }) => engine.accounts.ensureFirstAgent(userId) } },
    },
  });
}
