import type { Context } from '../../kernel/context/context.ts';
import { invalid, SvcError } from '../../kernel/contract/errors.ts';
import type { KeyScope } from '../../kernel/contract/fields.ts';
import type { ParsedOf } from '../../kernel/contract/route.ts';
import { type ClientRecord, findClient } from './clients.ts';
import type { connectionRoutes } from './contract.ts';
import { isRegistered } from './redirect-uri.ts';
import { isResource, resourceOf, scopeNames } from './resource.ts';

type Request = ParsedOf<typeof connectionRoutes.readAuthorization>;

/** What is wrong with a request, as the app is told it (RFC 6749, section 4.1.2.1). */
interface Problem {
  readonly error: 'invalid_request' | 'unsupported_response_type' | 'invalid_scope' | 'invalid_target';
  readonly description: string;
}

/** A request of a known app that is to be answered at an address of its own. */
interface AuthorizationRequest {
  readonly client: ClientRecord;
  readonly serviceUrl: string;
  /** The most that the app asks for. */
  readonly scope: KeyScope;
  readonly resource: string;
  readonly problem: Problem | undefined;
  /** The address to go back to, with parameters of the answer. */
  answerUrl(parameters: Readonly<Record<string, string>>): string;
}

// The base64url form of a SHA-256.
const CHALLENGE = /^[\w-]{43}$/;

/**
 * Checks an authorization request. Until app and address are known to belong together, nothing is ever answered to that
 * address.
 *
 * @throws SvcError `NOT_FOUND` for an unknown app; `VALIDATION_ERROR` for an address that is not one of the app's.
 */
export async function checkAuthorizationRequest(
  context: Context,
  request: Request,
): Promise<AuthorizationRequest> {
  const { serviceUrl, signal = new AbortController().signal } = context.options;
  if (serviceUrl === undefined)
    throw new SvcError('UNAVAILABLE', 'This service does not know its own address.');
  const client = await findClient(context, request.client_id, signal);
  const { redirect_uri: redirectUri, state } = request;
  if (!isRegistered(redirectUri, client.redirectUris)) {
    throw invalid(
      'redirect_uri',
      'is none of the addresses that this app is known by. Do not go on unless you know why; start again in the app',
    );
  }
  const resource = resourceOf(serviceUrl);
  return {
    client,
    serviceUrl,
    resource,
    scope: scopeNames(request.scope).includes('full') || request.scope === undefined ? 'full' : 'read',
    problem: problemOf(request, resource),
    answerUrl: (parameters) => {
      const url = new URL(redirectUri);
      const all = { ...parameters, ...(state === undefined ? {} : { state }), iss: serviceUrl };
      for (const [name, value] of Object.entries(all)) url.searchParams.set(name, value);
      return url.href;
    },
  };
}

function problemOf(request: Request, resource: string): Problem | undefined {
  if (request.response_type !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  if (request.code_challenge_method !== 'S256' || !CHALLENGE.test(request.code_challenge ?? '')) {
    const description = 'PKCE is required: a code_challenge of 43 characters with code_challenge_method S256';
    return { error: 'invalid_request', description };
  }
  const unknown = scopeNames(request.scope).filter((name) => name !== 'read' && name !== 'full');
  if (unknown.length > 0) return { error: 'invalid_scope', description: 'scope must be read or full' };
  if (request.resource !== undefined && !isResource(request.resource, resource)) {
    return { error: 'invalid_target', description: `resource must be ${resource}` };
  }
  return undefined;
}
