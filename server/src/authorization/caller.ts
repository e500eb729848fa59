import { SvcError } from '@svc-memory/core/contract';
import { isAccessToken, resourceOf } from '@svc-memory/core/server';
import type { RequestHandler } from 'express';
import { bearerToken } from '../access/bearer.ts';
import { type CredentialOptions, countFailure, requireCaller } from '../access/credential.ts';
import { issuerOf, OAUTH_PATHS } from './oauth-url.ts';

/**
 * `requireCaller` for the MCP endpoint: an access token of a connected app counts like an API key of its scope, and whoever
 * is refused is told where tokens come from. No other route takes access tokens.
 */
export function requireMcpCaller(options: CredentialOptions): RequestHandler {
  const { engine, publicUrl } = options;
  const byKey = requireCaller(options);
  return async (request, response, next) => {
    const issuer = issuerOf(request, publicUrl);
    const token = bearerToken(request);
    try {
      if (issuer === undefined || !isAccessToken(token)) return await byKey(request, response, next);
      const { tenantId, connectionId, scope } = await countFailure(options, request, response, () =>
        engine.connections.authenticate(token, resourceOf(issuer)),
      );
      response.locals.caller = { kind: 'key', tenantId, credentialId: connectionId, scope };
    } catch (error) {
      const challenge = response.getHeader('WWW-Authenticate');
      if (issuer !== undefined && error instanceof SvcError && challenge !== undefined) {
        const metadata = `${issuer}${OAUTH_PATHS.resource}/mcp`;
        response.setHeader('WWW-Authenticate', `${challenge}, resource_metadata="${metadata}", scope="full"`);
      }
      throw error;
    }
    next();
  };
}
