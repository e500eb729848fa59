import { randomUUID } from 'node:crypto';
import type { Engine } from '@svc-memory/core';
import { LOCAL_OWNER_EMAIL, PASSWORD_LENGTH } from '@svc-memory/core/contract';
import { signInDatabase, userLogins, userSessions, users, userVerifications } from '@svc-memory/core/server';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { createAuthEndpoint, sensitiveSessionMiddleware } from 'better-auth/api';
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

/** Teaches the sign-in library to open a session for a user whom we know by other means, and to end many. Not reachable by HTTP. */
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
    // The library takes only addresses that mail can reach.
    signInOwner: createAuthEndpoint(
      '/session-opener/owner',
      { method: 'POST', body: z.object({ password: z.string() }) },
      async (context) => {
        const { internalAdapter, password } = context.context;
        const found = await internalAdapter.findUserByEmail(LOCAL_OWNER_EMAIL, { includeAccounts: true });
        const hash = found?.accounts.find(({ providerId }) => providerId === 'credential')?.password;
        if (!found || !hash || !(await password.verify({ hash, password: context.body.password }))) {
          throw context.error('UNAUTHORIZED', { code: 'INVALID_EMAIL_OR_PASSWORD' });
        }
        const { user } = found;
        await setSessionCookie(context, { session: await internalAdapter.createSession(user.id), user });
        return context.json({ user });
      },
    ),
    // The library's own call reads at most 100 sessions, those that ended long ago among them.
    endOtherSessions: createAuthEndpoint(
      '/session-opener/end-others',
      { method: 'POST', use: [sensitiveSessionMiddleware], requireHeaders: true },
      async (context) => {
        const { session, user } = context.context.session;
        const ended = await context.context.adapter.deleteMany({
          model: 'session',
          where: [
            { field: 'userId', value: user.id },
            { field: 'token', operator: 'ne', value: session.token },
          ],
        });
        return context.json({ ended });
      },
    ),
  },
};

const HOUR_S = 3_600;
/** How exactly is known when a session was last used: each call after that long writes it down, and renews the cookie. */
const SEEN_S = 600;
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
    // Who is signed in may list and end their sessions, however long ago they signed in.
    session: { expiresIn: 7 * 24 * HOUR_S, updateAge: SEEN_S, freshAge: 0 },
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
      session: {
        create: {
          after: async ({ userId }, context) => {
            await engine.accounts.ensureFirstAgent(userId);
            await noteSignIn(engine, userId, context?.path);
          },
        },
      },
    },
  });
}

/** How sessions begin, by the path of the library's endpoint. */
const METHODS: readonly (readonly [path: string, method: string | undefined])[] = [
  ['/sign-in/email', 'password'],
  ['/session-opener/owner', 'password'],
  ['/session-opener', 'local_link'],
  ['/sign-up', 'sign_up'],
  ['/verify-email', 'email_link'],
  ['/callback', 'oauth'],
  ['/oauth2/callback', 'oauth'],
  // Whoever changes the password is signed in, and gets a new session for it.
  ['/change-password', undefined],
];

/** Notes a sign-in in the audit log before the browser gets its cookie. */
async function noteSignIn(engine: Engine, userId: string, path = ''): Promise<void> {
  const known = METHODS.find(([start]) => path.startsWith(start));
  const method = known ? known[1] : 'other';
  if (method !== undefined) await engine.accounts.audit(userId, 'sign_in.succeeded', { method });
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
        onPasswordReset: async ({ user }) => {
          // The link proves whose address it is. Somebody else may have signed up with it before.
          await engine.accounts.confirmAddress(user.id);
          await engine.accounts.audit(user.id, 'password.changed', { method: 'email_link' });
        },
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
