/** Paths of OAuth 2.1. The page is a page of the dashboard. */
export const OAUTH_PATHS = {
  /** Where the human is asked. */
  authorize: '/connect',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  /** RFC 9728; the path of the MCP endpoint may follow. */
  resource: '/.well-known/oauth-protected-resource',
  /** RFC 8414. */
  server: '/.well-known/oauth-authorization-server',
} as const;
