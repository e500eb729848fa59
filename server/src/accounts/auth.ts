import { randomUUID } from 'node:crypto';
import type { Engine } from '@svc-memory/core';
import { PASSWORD_LENGTH } from '@svc-memory/core/contract';
import { signInDatabase, userLogins, userSessions, users, userVerifications } from '@svc-memory/core/server';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { type BetterAuthOptions, betterAuth } from 'better-auth/minimal';
import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Emails } from './email-templates.ts';
import { CALLBACK_PATH, oidcProviders, socialProviders } from './oauth-providers.ts';
import type { AccountSettings } from './settings.ts';

/** What the sign-in library is set up with. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings: AccountSettings & { readonly secret: string };
  /** `https://…` without a slash at the end; makes cookies `Secure`, and OAuth possible. */
  readonly publicUrl: string | undefined;
  readonly emails: Emails | undefined;
}

/** Teaches the sign-in library to open a session for a user whom we know by other means. Not reachable by HTTP. */
const sessionOpener = {
  id: 'session-opener',
  endpoints: {
    openSession: createAuthEndpoint(
      '/session-opener',
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async (context) => {
        const { internalAdapter } = context.context;
        const user = await internalAdapter.findUserById(context.body.userId);
        if (!user) throw context.error('NOT_FOUND');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(context, { session, user });
        return context.json({ user });
      },
    ),
  },
};

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
export function createAuth({ engine, logger, settings, publicUrl, emails }: AuthOptions): Auth {
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
    database: drizzleAdapter(signInDatabase(engine.database), {
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
    ...passwordOptions(engine, allowSignup, emails),
    account: { encryptOAuthTokens: true, accountLinking: { requireLocalEmailVerified: true } },
    socialProviders: socialProviders(providers),
    plugins: [genericOAuth({ config: oidcProviders(providers) }), sessionOpener],
    databaseHooks: {
      session: { create: { after: ({ userId }) => engine.accounts.ensureFirstAgent(userId) } },
    },
  });
}

/** Sign-in by password, and the mails that go with it. */
function passwordOptions(
  engine: Engine,
  allowSignup: boolean,
  emails: Emails | undefined,
): Pick<LibraryOptions, 'emailAndPassword' | 'emailVerification'> {
  return {
    emailAndPassword: {
      enabled: true,
      disableSignUp: !allowSignup,
      minPasswordLength: PASSWORD_LENGTH.min,
      maxPasswordLength: PASSWORD_LENGTH.max,
      requireEmailVerification: emails?.requiresConfirmation === true,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: HOUR_S,
      ...(emails && {
        sendResetPassword: async ({ user, token }) => emails.resetPassword(user.email, token),
        // The link proves whose address it is. Somebody else may have signed up with it before.
        onPasswordReset: ({ user }) => engine.accounts.confirmAddress(user.id),
        onExistingUserSignUp: async ({ user }) => emails.knownAddress(user.email),
      }),
    },
    ...(emails && {
      emailVerification: {
        sendOnSignUp: true,
        autoSignInAfterVerification: true,
        expiresIn: HOUR_S,
        sendVerificationEmail: async ({ user, token }) => emails.confirmAddress(user.email, token),
      },
    }),
  };
}
