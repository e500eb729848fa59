import type { Actor, Engine, KeyHolder, TenantRecord } from '@svc-memory/core';
import { SvcError, type User } from '@svc-memory/core/contract';
import { humanOnly } from '@svc-memory/core/server';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { type BucketLimiter, refuseTooMany } from '../limits/bucket.ts';
import { clientOf } from '../limits/client.ts';
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
      /** The user that the key is bound to. */
      readonly userId?: string | undefined;
      /** See `Actor.unverified`. */
      readonly unverified?: boolean;
    }
  | { readonly kind: 'human'; readonly tenantId: string; readonly credentialId: string };

/** A caller as the engine records and treats them. */
export function actorOf(caller: Caller): Actor {
  const { credentialId } = caller;
  if (caller.kind === 'human') return { source: 'human', credentialId };
  const { scope, unverified = false, userId: boundTo } = caller;
  return { source: 'agent', credentialId, readOnly: scope === 'read', unverified, boundTo };
}

/** What credentials are checked with. */
export interface CredentialOptions {
  readonly engine: Engine;
  readonly readSession: ReadSession;
  /** Failed sign-ins by client address. */
  readonly failures: BucketLimiter;
  readonly publicUrl?: string | undefined;
}

/** The header in which a human's call names the agent it is about. */
const TENANT_HEADER = 'X-Svc-Tenant';
const SHOWN_AGENTS = 10;
const CHALLENGE = 'Bearer realm="svc"';

/**
 * Lets only callers with a valid credential through and notes who they are: an API key, else a human's session in one
 * of their tenants (see `chooseTenant`). With an `Authorization` header cookies count for nothing.
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
 * Like `requireCaller`, but a key that was valid a moment ago is taken from the cache: for operations that verify it in
 * the transaction that counts them. Where such a call fails, `verifyOnError` looks the key up first.
 */
export function authenticateFromCache(options: CredentialOptions): RequestHandler {
  const lookUp = requireCaller(options);
  return (request, response, next) => {
    const holder = options.engine.apiKeys.authenticateFromCache(bearerToken(request));
    if (!holder) return lookUp(request, response, next);
    response.locals.caller = { ...keyCaller(holder), unverified: true };
    next();
  };
}

/** Verifies an unverified key before an error is answered: an invalid key learns only that it is invalid. */
export function verifyOnError(options: CredentialOptions): ErrorRequestHandler {
  return async (error, request, response, next) => {
    const { caller } = response.locals;
    if (caller?.kind === 'key' && caller.unverified) await identify(options, request, response);
    next(error);
  };
}

/** Lets only a human's session through and notes who it is. An API key is refused, whatever its scope. */
export function requireHumanSession(options: CredentialOptions): RequestHandler {
  return async (request, response, next) => {
    const identity = await identify(options, request, response);
    if ('holder' in identity) throw humanOnly();
    response.locals.human = identity.human;
    next();
  };
}

/** Who makes this call; only for handlers behind `requireCaller`. */
export function callerOf(response: Response): Caller {
  const { caller } = response.locals;
  if (!caller) throw new TypeError('requireCaller must run before this handler');
  return caller;
}

/** Which human makes this call; only for handlers behind `requireHumanSession`. */
export function humanOf(response: Response): Human {
  const { human } = response.locals;
  if (!human) throw new TypeError('requireHumanSession must run before this handler');
  return human;
}

/** Checks a credential again, as it was checked first: a key may have been revoked, a session or a token have ended. */
export async function isStillAllowed(
  request: Request,
  response: Response,
  { identify, tenantId }: { readonly identify: RequestHandler; readonly tenantId: string },
): Promise<boolean> {
  try {
    await identify(request, response, () => {});
    return callerOf(response).tenantId === tenantId;
  } catch {
    return false;
  }
}

type Identity = { readonly holder: KeyHolder } | { readonly human: Human };

/**
 * A credential is checked before the limit of its address is counted: a valid one is accepted even from an address with
 * too many failures.
 */
async function identify(options: CredentialOptions, request: Request, response: Response): Promise<Identity> {
  const { engine, readSession, publicUrl } = options;
  return countFailure(options, request, response, async () => {
    if (request.headers.authorization === undefined) {
      const human = await readSession(request, response);
      if (human) {
        requireSameOrigin(request, publicUrl);
        return { human };
      }
    }
    const token = bearerToken(request);
    if (token === '') throw noToken(request);
    return { holder: await engine.apiKeys.authenticate(token, request.ip) };
  });
}

/** Runs a check of a credential; where it fails, counts that against the client's address and says how to sign in. */
export async function countFailure<T>(
  { failures }: Pick<CredentialOptions, 'failures'>,
  request: Request,
  response: Response,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof SvcError) || error.code !== 'UNAUTHORIZED') throw error;
    const decision = await failures.take(clientOf(request));
    if (!decision.allowed) refuseTooMany(response, decision, 'Too many failed sign-ins from this address.');
    response.setHeader(
      'WWW-Authenticate',
      request.headers.authorization === undefined ? CHALLENGE : `${CHALLENGE}, error="invalid_token"`,
    );
    throw error;
  }
}

/** The error for a call without an API key. It names the header to use where the key came in another place. */
function noToken(request: Request): SvcError {
  const place = 'send it in one header, "Authorization: Bearer <API key>"';
  if (request.headers.authorization !== undefined) {
    return new SvcError('UNAUTHORIZED', `The Authorization header holds no bearer token: ${place}.`);
  }
  const elsewhere = request.headers['x-api-key'] !== undefined || /[?&]api_?key=/i.test(request.originalUrl);
  const ignored = elsewhere ? ' X-API-Key and ?api_key= are not read.' : '';
  return new SvcError('UNAUTHORIZED', `This call carries no API key and no sign-in: ${place}.${ignored}`);
}

function keyCaller({ tenantId, keyId, scope, userId }: KeyHolder): Caller & { readonly kind: 'key' } {
  return { kind: 'key', tenantId, credentialId: keyId, scope, userId };
}

/**
 * The agent that a human's call is about: the one that the header `X-Svc-Tenant` names. Only a human with a single agent may
 * leave the header out, so that no call reaches an agent it does not mean.
 *
 * @throws SvcError `VALIDATION_ERROR` without the header; `NOT_FOUND` where it names none of this human's agents.
 */
async function chooseTenant(engine: Engine, { user }: Human, request: Request): Promise<Caller> {
  const agents = await engine.accounts.agentsOf(user.id);
  const wanted = request.get(TENANT_HEADER)?.trim().toLowerCase();
  if (wanted === undefined && agents.length > 1) {
    const message = `is required, since you have several agents: the id of ${listAgents(agents)}`;
    throw new SvcError('VALIDATION_ERROR', `${TENANT_HEADER}: ${message}.`, {
      details: [{ path: TENANT_HEADER, message }],
    });
  }
  const chosen = wanted === undefined ? agents[0] : agents.find(({ id }) => id === wanted);
  if (!chosen) {
    const yours = agents.length === 0 ? '' : ` Yours: ${listAgents(agents)}.`;
    throw new SvcError(
      'NOT_FOUND',
      `You have no agent with the id in ${TENANT_HEADER}.${yours} GET /agents lists them.`,
    );
  }
  return { kind: 'human', tenantId: chosen.id, credentialId: user.id };
}

function listAgents(agents: readonly TenantRecord[]): string {
  const shown = agents
    .slice(0, SHOWN_AGENTS)
    .map(({ id, displayName }) => `${JSON.stringify(displayName)} (${id})`);
  const others = agents.length - shown.length;
  return `${shown.join(', ')}${others > 0 ? ` or ${others} more` : ''}`;
}
