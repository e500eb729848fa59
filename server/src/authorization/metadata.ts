import { resourceOf } from '@svc-memory/core/server';
import { OAUTH_PATHS } from './oauth-url.ts';

const SCOPES = ['read', 'full'];

/** Tells clients of the MCP endpoint where to get tokens for it (RFC 9728). */
export function protectedResourceMetadata(issuer: string): object {
  return {
    resource: resourceOf(issuer),
    resource_name: 'Agent Memory Service',
    authorization_servers: [issuer],
    scopes_supported: SCOPES,
    bearer_methods_supported: ['header'],
  };
}

/** Tells clients how to get tokens (RFC 8414). */
export function authorizationServerMetadata(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${issuer}${OAUTH_PATHS.token}`,
    registration_endpoint: `${issuer}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${issuer}${OAUTH_PATHS.revoke}`,
    scopes_supported: SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}
