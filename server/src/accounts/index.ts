import { randomBytes } from 'node:crypto';
import type { Engine } from '@svc-memory/core';
import { Router } from 'express';
import type { Logger } from 'pino';
import type { CredentialOptions } from '../access/credential.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import type { Auth } from './auth.ts';
import { createEmails, distressMail } from './email-templates.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';
import type { AccountDependencies } from './handler.ts';
import { createSignInLimits, type SignInLimiters } from './limits.ts';
import { linkRoutes, localSignInRoute } from './links.ts';
import type { LocalSignIn } from './local-owner.ts';
import type { Mailer } from './mail.ts';
import { createAccountRouter } from './routes.ts';
import { createSessionReader } from './session.ts';
import type { AccountSettings } from './settings.ts';

/** What accounts are made of. */
export interface AccountOptions {
  readonly engine: Engine;
  readonly logger: Logger;
  readonly settings: AccountSettings & {
    readonly publicUrl?: string | undefined;
    readonly bodyLimitBytes: number;
  };
  /** Where humans reach the service, without a slash at the end. */
  readonly serviceUrl: () => string;
  /** Sends or shows mail; without one addresses are not confirmed and passwords not reset. */
  readonly mailer: Mailer | undefined;
  /** Is told that sessions of a user have ended. */
  readonly sessionsEnded: (userId: string) => void;
  /** The one-time links of an embedded service's owner. */
  readonly localSignIn: LocalSignIn | undefined;
  readonly limiters: SignInLimiters & {
    readonly calls: BucketLimiter;
    readonly failedSignIns: BucketLimiter;
  };
}

/** Humans and wallets on this service: what checks credentials, and the routes to get one. */
export interface AccountApi {
  readonly credentials: CredentialOptions;
  /** Account routes below `prefix`, and the owner's links at `/auth/local`. */
  routes(prefix: string): Router;
}

/** Puts accounts together. */
export function createAccountApi(options: AccountOptions): AccountApi {
  const { engine, logger, settings, serviceUrl, mailer, localSignIn, limiters } = options;
  const { publicUrl, secret = randomBytes(32).toString('base64url') } = settings;
  const emails = mailer && createEmails(mailer, serviceUrl, logger);
  if (emails?.requiresConfirmation) engine.use(distressMail(engine, emails, logger));
  let auth: Promise<Auth> | undefined;
  const dependencies: AccountDependencies = {
    engine,
    openAuth: () => {
      auth ??= import('./auth.ts').then(({ createAuth }) =>
        createAuth({ engine, logger, settings: { ...settings, secret }, publicUrl, emails }),
      );
      return auth;
    },
    settings,
    emails,
    localLink: localSignIn !== undefined,
    limits: createSignInLimits(limiters),
    failedSignIns: createFailedSignIns({ engine, logger }),
    serviceUrl,
    readSession: (request, response) => readSession(request, response),
    sessionsEnded: options.sessionsEnded,
  };
  const readSession = createSessionReader(dependencies);
  const credentials: CredentialOptions = { engine, readSession, failures: limiters.failedSignIns, publicUrl };
  return {
    credentials,
    routes: (prefix) => {
      const router = Router({ caseSensitive: true });
      if (localSignIn) router.use(localSignInRoute(dependencies, localSignIn));
      router.use(prefix, linkRoutes(dependencies, prefix));
      const { calls } = limiters;
      const bodyLimit = settings.bodyLimitBytes;
      router.use(prefix, createAccountRouter({ dependencies, credentials, calls, bodyLimit }, prefix));
      return router;
    },
  };
}
