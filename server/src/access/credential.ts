import type { Actor, Engine, KeyHolder } from '@svc-memory/core';
import { type Access, SvcError, type User } from '@svc-memory/core/contract';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { type BucketLimiter, refuseTooMany } from '../limits/bucket.ts';
import { bearerToken } from './bearer.ts';
import { requireSameOrigin } from './same-origin.ts';

/** A human signed in. */
export interface Human {
  readonly user: User;
  readonly expiresAt: Date;
}

/** Reads the session cookie of a request; undefined without one, and for one that is unknown or has ended. */
export type ReadSession = (request: Request, response: Response) => Promise<Human | undefined>;

/** Who makes a call in which tenant. */
export type Caller =
  | {
      readonly kind: 'key';
      readonly tenantId: string;
      readonly credentialId: string;
      readonly scope: KeyHolder['scope'];
      /** See `Actor.unproven`. */
      readonly unproven?: boolean;
    }
  | { readonly kind: 'human'; readonly tenantId: string; readonly credentialId: string };

/** A caller as the engine records and treats them. */
export function actorOf(caller: Caller): Actor {
  const { credentialId } = caller;
  if (caller.kind === 'human') return { source: 'human', credentialId };
  const { scope, unproven = false } = caller;
  return { source: 'agent', credentialId, readOnly: scope === 'read', unproven };
}

/** What credentials are checked with. */
export interface CredentialOptions {
  readonly engine: Engine;
  readonly readSession: ReadSession;
  /** Failed sign-ins by client address. */
  readonly failures: BucketLimiter;
  readonly publicUrl?: string;
}

const CHALLENGE = 'Bearer realm="svc"';

/**
 * Lets only callers with a valid credential through and notes who they are: an API key, else a human's session in one
 * of their tenants (header `X-Svc-Tenant`, default the first). With an `Authorization` header cookies count for nothing.
 */
export function requireCaller(options: CredentialOptions): RequestHandler {
  return async (request, response, next) => {
    const identity = await identify(options, request, response);
    response.locals.caller =
      'holder' in identity
        ? keyCaller(identity.holder)
        : await chooseTenant(options.engine, identity.human, request);
    next();
  };
}

/**
 * Like `requireCaller`, but a key that was in force a moment ago is not looked up: for operations that prove it in the
 * transaction that counts them. Whatever else comes of such a call, `confirmCaller` looks the key up first.
 */
export function recogniseCaller(options: CredentialOptions): RequestHandler {
  const lookUp = requireCaller(options);
  return (request, response, next) => {
    const holder = options.engine.apiKeys.recognise(bearerToken(request));
    if (!holder) return lookUp(request, response, next);
    response.locals.caller = { ...keyCaller(holder), unproven: true };
    next();
  };
}

/** Answers errors of calls that proved nothing like those of anybody: only who is let in learns what was wrong. */
export function confirmCaller(options: CredentialOptions): ErrorRequestHandler {
  return async (error, request, response, next) => {
    const { caller } = response.locals;
    if (caller?.kind === 'key' && caller.unproven) await identify(options, request, response);
    next(error);
  };
}

/** Lets only a human's session through and notes who it is. An API key is refused, whatever its scope. */
export function requireHuman(options: CredentialOptions): RequestHandler {
  return async (request, response, next) => {
    const identity = await identify(options, request, response);
    if ('holder' in identity) throw humanOnly();
    response.locals.human = identity.human;
    next();
  };
}

/**
 * Checks that a caller may use a route. Design 7.
 *
 * @throws SvcError `FORBIDDEN` where the route needs another kind of credential, or a key of scope full.
 */
export function requireAccess(access: Access, caller: Caller): void {
  if (caller.kind === 'human') {
    if (access === 'agent' || access === 'session') {
      throw new SvcError('FORBIDDEN', 'Only the agent may do this, with its API key.');
    }
  } else if (access === 'human') throw humanOnly();
  else if (access !== 'public' && access !== 'read' && caller.scope !== 'full') {
    throw new SvcError('FORBIDDEN', 'This API key may only read. Use a key of scope full.');
  }
}

/** Who makes this call; only for handlers behind `requireCaller`. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (!caller) throw new TypeError('requireCaller must run before this handler');
  return caller;
}

/** Which human makes this call; only for handlers behind `requireHuman`. */
export function humanOf(response: Response): Human {
  const { human } = response.locals;
  if (!human) throw new TypeError('requireHuman must run before this handler');
  return human;
}

type Identity = { readonly holder: KeyHolder } | { readonly human: Human };

/**
 * A wrong credential is always checked first and counted afterwards: someone who shares an address with an attacker
 * still gets in.
 */
async function identify(options: CredentialOptions, request: Request, response: Response): Promise<Identity> {
  const { engine, readSession, failures, publicUrl } = options;
  try {
    if (request.headers.authorization === undefined) {
      const human = await readSession(request, response);
      if (human) {
        requireSameOrigin(request, publicUrl);
        return { human };
      }
    }
    return { holder: await engine.apiKeys.authenticate(bearerToken(request), request.ip) };
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'UNAUTHORIZED') throw error;
    const decision = await failures.take(request.ip ?? 'unknown');
    if (!decision.allowed) refuseTooMany(response, decision, 'Too many failed sign-ins from this address.');
    response.setHeader(
      'WWW-Authenticate',
      request.headers.authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
    );
    throw error;
  }
}

function keyCaller({ tenantId, keyId, scope }: KeyHolder): Caller & { readonly kind: 'key' } {
  return { kind: 'key', tenantId, credentialId: keyId, scope };
}

async function chooseTenant(engine: Engine, { user }: Human, request: Request): Promise<Caller> {
  const agents = await engine.accounts.agentsOf(user.id);
  const wanted = request.get('x-svc-tenant')?.trim().toLowerCase();
  const chosen = wanted === undefined ? agents[0] : agents.find(({ id }) => id === wanted);
  if (!chosen) throw new SvcError('NOT_FOUND', 'You have no such agent. GET /agents lists yours.');
  return { kind: 'human', tenantId: chosen.id, credentialId: user.id };
}

function humanOnly(): SvcError {
  return new SvcError(
    'FORBIDDEN',
    'Only the human may do this, signed in to the dashboard; an API key may not.',
  );
}
