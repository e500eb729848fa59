import type { Engine, IssuedTokens } from '@svc-memory/core';
import { clientMetadata } from '@svc-memory/core/server';
import type { Request, RequestHandler } from 'express';
import { readJsonBody, readTextBody } from '../request/body.ts';
import { OAuthError } from './oauth-error.ts';

// RFC 7636, section 4.1.
const VERIFIER = /^[\w.~-]{43,128}$/;
const METADATA_BYTES = 32 * 1024;

/** Exchanges a code or a refresh token for tokens. */
export function answerToken({ connections }: Engine): RequestHandler {
  return async (request, response) => {
    const fields = await readForm(request);
    const clientId = requireClient(fields, request.headers.authorization);
    const resource = fields.get('resource');
    const grant = requireField(fields, 'grant_type');
    if (grant === 'authorization_code') {
      const code = requireField(fields, 'code');
      const redirectUri = requireField(fields, 'redirect_uri');
      const verifier = requireField(fields, 'code_verifier');
      if (!VERIFIER.test(verifier)) {
        throw new OAuthError(
          'invalid_request',
          'code_verifier must be 43 to 128 letters, digits, -, ., _ or ~',
        );
      }
      response.json(
        present(await connections.redeemCode({ clientId, code, redirectUri, verifier, resource })),
      );
      return;
    }
    if (grant !== 'refresh_token') {
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      );
    }
    const token = requireField(fields, 'refresh_token');
    const scope = fields.get('scope');
    response.json(present(await connections.refresh({ clientId, token, scope, resource })));
  };
}

/** Ends the connection of a token (RFC 7009); the answer does not tell whether there was one. */
export function answerRevoke({ connections }: Engine): RequestHandler {
  return async (request, response) => {
    const fields = await readForm(request);
    const clientId = requireClient(fields, request.headers.authorization);
    await connections.revokeToken(requireField(fields, 'token'), clientId);
    response.status(200).end();
  };
}

/** Registers an app (RFC 7591). */
export function answerRegistration({ connections }: Engine): RequestHandler {
  return async (request, response) => {
    const parsed = clientMetadata.safeParse(await readJsonBody(request, METADATA_BYTES));
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      const [field] = issue?.path ?? [];
      const code = field === 'redirect_uris' ? 'invalid_redirect_uri' : 'invalid_client_metadata';
      throw new OAuthError(code, `${issue?.path.join('.')}: ${issue?.message}`);
    }
    const client = await connections.registerClient(parsed.data);
    response.status(201).json({
      client_id: client.id,
      client_id_issued_at: Math.floor(client.readAt.getTime() / 1_000),
      client_name: client.name,
      redirect_uris: client.redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    });
  };
}

/** Clients have no secrets here; one that shows a secret believes in a registration that there is not. */
function requireClient(fields: ReadonlyMap<string, string>, authorization: string | undefined): string {
  if (authorization !== undefined || fields.has('client_secret') || fields.has('client_assertion')) {
    throw new OAuthError('invalid_client', 'clients have no secret here: send client_id alone');
  }
  return requireField(fields, 'client_id');
}

function present({ accessToken, refreshToken, expiresInSeconds, scope }: IssuedTokens): object {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope,
  };
}

const FORM_BYTES = 32 * 1024;

/** The fields of a form as OAuth clients send it: each once at most, and an empty one is none. */
async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  const type = request.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError('invalid_request', 'send the parameters as application/x-www-form-urlencoded');
  }
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(await readTextBody(request, FORM_BYTES))) {
    if (fields.has(name)) throw new OAuthError('invalid_request', 'a parameter is given twice');
    fields.set(name, value);
  }
  return new Map([...fields].filter(([, value]) => value !== ''));
}

/** A field that must be there. */
function requireField(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}
