import type { Engine } from '@svc-memory/core';
import type { AccountRouteName, AccountRoutes } from '@svc-memory/core/contract';
import type { Request, Response } from 'express';
import type { z } from 'zod';
import type { ReadSession } from '../access/credential.ts';
import type { OpenAuth } from './auth.ts';
import type { Emails } from './email-templates.ts';
import type { FailedSignIns } from './failed-sign-ins.ts';
import type { SignInLimits } from './limits.ts';
import type { AccountSettings } from './settings.ts';

/** What the handlers of account routes work with. */
export interface AccountDependencies {
  readonly engine: Engine;
  readonly openAuth: OpenAuth;
  readonly settings: AccountSettings;
  /** Absent where the service can neither send nor show mail. */
  readonly emails: Emails | undefined;
  /** True where a one-time link signs the owner in. */
  readonly localLink: boolean;
  readonly limits: SignInLimits;
  readonly failedSignIns: FailedSignIns;
  /** Reads who is signed in. */
  readonly readSession: ReadSession;
  /** Is told that sessions of a user have ended, so that what they had open ends, too. */
  readonly sessionsEnded: (userId: string) => void;
  /** Where humans reach the service, without a slash at the end. */
  readonly serviceUrl: () => string;
}

/** One call of an account route. */
interface AccountCall<Name extends AccountRouteName> {
  readonly input: z.output<AccountRoutes[Name]['request']>;
  readonly request: Request;
  readonly response: Response;
}

/** Answers one account route, without `success`. */
export type AccountHandler<Name extends AccountRouteName> = (
  dependencies: AccountDependencies,
  call: AccountCall<Name>,
) => Promise<z.output<AccountRoutes[Name]['response']>>;
