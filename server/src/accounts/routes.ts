import { type AccountRouteName, accountRoutes, parseInput, type Route } from '@svc-memory/core/contract';
import { type RequestHandler, Router } from 'express';
import { type CredentialOptions, requireHumanSession } from '../access/credential.ts';
import { limitHuman } from '../access/limit-calls.ts';
import { refuseForeignOrigin } from '../access/same-origin.ts';
import { sendSuccess } from '../answers/success.ts';
import type { BucketLimiter } from '../limits/bucket.ts';
import { loadOptional } from '../optional-packages.ts';
import { readJsonBody } from '../request/body.ts';
import { refuseQuery } from '../request/query.ts';
import { routeAt } from '../routing/fallbacks.ts';
import { agents, createAgent } from './agents.ts';
import type { AccountDependencies, AccountHandler } from './handler.ts';
import { changePassword, requestReset, requestVerification, reset } from './recovery.ts';
import { endOtherSessions, endSession, sessions } from './sessions.ts';
import { login, logout, session, signInOptions } from './sign-in.ts';
import { signup } from './sign-up.ts';

/** The handler of every account route; the type forgets none. */
const handlers: { readonly [Name in AccountRouteName]: AccountHandler<Name> } = {
  signup,
  login,
  logout,
  session,
  sessions,
  endSession,
  endOtherSessions,
  signInOptions,
  requestVerification,
  requestReset,
  reset,
  changePassword,
  wallet: async (...call) => {
    const { wallet } = await loadOptional(
      { feature: 'Sign-in by wallet', packages: ['ox'] },
      () => import('./wallet.ts'),
    );
    return wallet(...call);
  },
  agents,
  createAgent,
};

interface RouterOptions {
  readonly dependencies: AccountDependencies;
  readonly credentials: CredentialOptions;
  /** Calls by human. */
  readonly calls: BucketLimiter;
  readonly bodyLimit: number;
}

/** Mounts the account routes of the contract below `prefix`. */
export function createAccountRouter(options: RouterOptions, prefix: string): Router {
  const { dependencies, credentials, calls, bodyLimit } = options;
  const router = Router({ caseSensitive: true });
  const names = Object.keys(accountRoutes) as AccountRouteName[];
  for (const path of new Set(names.map((name) => accountRoutes[name].path))) {
    const here = names.filter((name) => accountRoutes[name].path === path);
    const methods = here.map((name) => accountRoutes[name].method);
    const at = routeAt(router, path, methods, `${prefix}${path}`);
    for (const name of here) {
      const method = accountRoutes[name].method === 'GET' ? 'get' : 'post';
      at[method](...guardsOf(accountRoutes[name], credentials, calls), answer(name, dependencies, bodyLimit));
    }
  }
  return router;
}

function guardsOf({ access }: Route, credentials: CredentialOptions, calls: BucketLimiter): RequestHandler[] {
  if (access === 'human') return [requireHumanSession(credentials), limitHuman(calls)];
  return [
    (request, _response, next) => {
      refuseForeignOrigin(request, credentials.publicUrl);
      next();
    },
  ];
}

function answer(
  name: AccountRouteName,
  dependencies: AccountDependencies,
  bodyLimit: number,
): RequestHandler {
  // The table pairs every name with its own input, which a generic mount cannot express.
  const handler = handlers[name] as AccountHandler<AccountRouteName>;
  return async (request, response) => {
    refuseQuery(request.originalUrl);
    const body = accountRoutes[name].method === 'GET' ? {} : await readJsonBody(request, bodyLimit);
    const input = parseInput(accountRoutes[name].request, body);
    const answered = await handler(dependencies, { input: input as never, request, response });
    sendSuccess(response, answered);
  };
}
