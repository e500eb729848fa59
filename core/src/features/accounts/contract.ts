import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { tenant } from '../../kernel/contract/tenant.ts';

declare module '../../kernel/context/context.ts' {
  interface EngineSettings {
    /** The plan of who signs up, on any database. Only the owner of an embedded service is on `local`. Default `trial`. */
    readonly signUpPlan: field.Plan;
  }
}

/** OAuth 2.0 providers a human may sign in with, where the operator has set them up. */
export const OAUTH_PROVIDERS = ['google', 'github', 'oidc'] as const;
/** An OAuth 2.0 provider that a human may sign in with. */
export type OAuthProvider = (typeof OAUTH_PROVIDERS)[number];

/** Characters of a password. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const;

const email = z.email('must be an e-mail address').max(254, 'must be at most 254 characters');
/** Address of the owner of an embedded service. Nobody can sign up with it or receive mail at it. */
export const LOCAL_OWNER_EMAIL = 'owner@localhost';
const signInEmail = z.union([z.literal(LOCAL_OWNER_EMAIL), email], { error: 'must be an e-mail address' });
const newPassword = field.text(PASSWORD_LENGTH.max, PASSWORD_LENGTH.min);
const address = z.string().regex(/^0x[0-9a-f]{40}$/i, 'must be an Ethereum address, 0x and 40 hex digits');

const user = z.object({
  id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  email_verified: z.boolean(),
});
/** A human who has signed in. */
export type User = z.output<typeof user>;

const queued = z.object({ outcome: z.literal('queued') });
const nothing = z.strictObject({});

/**
 * Routes of humans and wallets, who are not yet, or not only, in one tenant: the server answers them. Below `/api/v1`
 * like all others.
 */
export const accountRoutes = {
  /**
   * Makes a user and its first agent, or with `provider` starts an OAuth sign-in, also of a known user.
   *
   * `created`: signed in (session cookie), `api_key` is shown this once. `queued`: this service confirms e-mail
   * addresses first, and says the same for a known address. `redirect`: go to `redirect_url`.
   */
  signup: route({
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    metering: 'free',
    summary: 'Sign up with e-mail and password, or sign in with an OAuth provider',
    request: z
      .strictObject({
        email: email.optional(),
        password: newPassword.optional(),
        display_name: field.displayName.optional(),
        provider: z.enum(OAUTH_PROVIDERS).optional(),
      })
      .superRefine((body, context) => {
        const fields = ['email', 'password', 'display_name'] as const;
        for (const name of fields) {
          const wanted = body.provider === undefined;
          if ((body[name] !== undefined) === wanted) continue;
          const message = wanted ? 'is required, unless provider is given' : 'must be left out with provider';
          context.addIssue({ code: 'custom', path: [name], message });
        }
      }),
    response: z.object({
      outcome: z.enum(['created', 'queued', 'redirect']),
      user: user.optional(),
      tenant: tenant.optional(),
      api_key: z.string().optional(),
      redirect_url: z.url().optional(),
    }),
    errors: ['FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /** Signs a human in: sets the session cookie, and ends the session the call came with. */
  login: route({
    method: 'POST',
    path: '/auth/login',
    access: 'public',
    metering: 'free',
    summary: 'Sign in with e-mail and password',
    request: z.strictObject({ email: signInEmail, password: field.text(PASSWORD_LENGTH.max) }),
    response: z.object({ user }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /** Ends the session; without one it does nothing. */
  logout: route({
    method: 'POST',
    path: '/auth/logout',
    access: 'public',
    metering: 'free',
    summary: 'Sign out',
    request: nothing,
    response: z.object({}),
    errors: ['FORBIDDEN'],
    idempotent: false,
  }),
  /** Who is signed in, and which agents are theirs. */
  session: route({
    method: 'GET',
    path: '/auth/session',
    access: 'human',
    metering: 'free',
    summary: 'The human signed in, and their agents',
    request: nothing,
    response: z.object({
      user,
      agents: z.array(tenant),
      expires_at: field.instant,
      /** False where they have only ever signed in another way: then they may set one. */
      has_password: z.boolean(),
    }),
  }),
  /** Where the human is signed in: each browser with a session that has not ended, at most 100, the last used first. */
  sessions: route({
    method: 'GET',
    path: '/auth/sessions',
    access: 'human',
    metering: 'free',
    summary: 'Sessions of the human',
    request: nothing,
    response: z.object({
      sessions: z.array(
        z.object({
          id: z.uuid(),
          /** What the browser says of itself, at most 512 characters. */
          user_agent: z.string().nullable(),
          address: z.string().nullable(),
          created_at: field.instant,
          /** To ten minutes. */
          last_used_at: field.instant,
          expires_at: field.instant,
          /** Whether this call came with it. */
          is_current: z.boolean(),
        }),
      ),
    }),
  }),
  /** Ends one session of the human, and what is open in that browser. */
  endSession: route({
    method: 'POST',
    path: '/auth/sessions/end',
    access: 'human',
    metering: 'free',
    summary: 'Sign one browser out',
    request: z.strictObject({ id: z.uuid() }),
    response: z.object({}),
    errors: ['NOT_FOUND'],
    idempotent: false,
  }),
  /** Ends all sessions of the human but the one of this call, and what is open in those browsers. */
  endOtherSessions: route({
    method: 'POST',
    path: '/auth/sessions/end-others',
    access: 'human',
    metering: 'free',
    summary: 'Sign all other browsers out',
    request: nothing,
    response: z.object({}),
    idempotent: false,
  }),
  /** What a sign-in page may offer. */
  signInOptions: route({
    method: 'GET',
    path: '/auth/options',
    access: 'public',
    metering: 'free',
    summary: 'Ways to sign in that this service offers',
    request: nothing,
    response: z.object({
      signup: z.boolean(),
      providers: z.array(z.enum(OAUTH_PROVIDERS)),
      /** True where the service runs for its owner on their machine, and its start prints a link that signs them in. */
      local_link: z.boolean(),
      /** False where nobody could sign in with a password: nobody has one, and nobody may sign up. */
      password: z.boolean(),
      /** True where a new password can be asked for by mail. */
      password_reset: z.boolean(),
    }),
  }),
  /** Sends the link that confirms an e-mail address again. The answer does not tell whether the address is known. */
  requestVerification: route({
    method: 'POST',
    path: '/auth/verify',
    access: 'public',
    metering: 'free',
    summary: 'Send the link that confirms an e-mail address again',
    request: z.strictObject({ email }),
    response: queued,
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /** Sends a link to choose a new password. The answer does not tell whether the address is known. */
  requestReset: route({
    method: 'POST',
    path: '/auth/reset',
    access: 'public',
    metering: 'free',
    summary: 'Send a link to choose a new password',
    request: z.strictObject({ email }),
    response: queued,
    errors: ['FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /** Sets the new password, once per link, and ends all sessions of the user. */
  reset: route({
    method: 'POST',
    path: '/auth/reset/confirm',
    access: 'public',
    metering: 'free',
    summary: 'Choose a new password with the token of the link',
    request: z.strictObject({ token: field.text(256), password: newPassword }),
    response: z.object({}),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /**
   * Changes the password of the human signed in, and ends all their other sessions. Who has none yet leaves
   * `current_password` out; their sessions stay.
   */
  changePassword: route({
    method: 'POST',
    path: '/auth/password',
    access: 'human',
    metering: 'free',
    summary: 'Change the password, or set a first one',
    request: z.strictObject({
      current_password: field.text(PASSWORD_LENGTH.max).optional(),
      password: newPassword,
    }),
    response: z.object({}),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /**
   * Signs an agent in with an Ethereum account (EIP-4361). With `address`: answers the `message` to sign, good for one
   * use within 10 minutes. With `message` and `signature` (EIP-191, by that account itself): answers the wallet's
   * tenant, made at its first sign-in, and a new API key. Keys of former sign-ins stay valid; of those, the 10 newest.
   */
  wallet: route({
    method: 'POST',
    path: '/auth/wallet',
    access: 'public',
    metering: 'free',
    summary: 'Sign in with an Ethereum wallet',
    request: z
      .strictObject({
        address: address.optional(),
        message: field.text(4_096).optional(),
        signature: z
          .string()
          .regex(/^0x[0-9a-f]{130}$/i, 'must be a 65-byte signature, 0x and 130 hex digits')
          .optional(),
      })
      .refine(
        ({ address, message, signature }) =>
          address === undefined
            ? message !== undefined && signature !== undefined
            : message === undefined && signature === undefined,
        { path: ['address'], message: 'send either address, or message and signature' },
      ),
    response: z.object({
      outcome: z.enum(['challenge', 'created']),
      message: z.string().optional(),
      expires_at: field.instant.optional(),
      tenant: tenant.optional(),
      api_key: z.string().optional(),
    }),
    errors: ['UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED'],
    idempotent: false,
  }),
  /** The agents of the human, oldest first. In other calls the header `X-Svc-Tenant` names one. */
  agents: route({
    method: 'GET',
    path: '/agents',
    access: 'human',
    metering: 'free',
    summary: 'Agents of the human',
    request: nothing,
    response: z.object({ agents: z.array(tenant) }),
  }),
  /** Makes one more agent, on the plan of the first. */
  createAgent: route({
    method: 'POST',
    path: '/agents',
    access: 'human',
    metering: 'free',
    summary: 'Make an agent',
    request: z.strictObject({ display_name: field.displayName }),
    response: z.object({ outcome: z.literal('created'), agent: tenant }),
    errors: ['CONFLICT'],
    idempotent: false,
  }),
};
/** The routes of humans' accounts by name. */
export type AccountRoutes = typeof accountRoutes;
/** The name of a route of humans' accounts. */
export type AccountRouteName = keyof AccountRoutes;
