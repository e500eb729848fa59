import type { Request } from 'express';
import { isLoopback } from '../access/host.ts';
import { serviceUrlOf } from '../request/service-url.ts';

/**
 * The address of the service as an OAuth issuer, without a slash at the end; undefined where OAuth is not offered: codes and
 * tokens cross a network only over https, and plain http is for this machine alone.
 */
export function issuerOf(request: Request, publicUrl: string | undefined): string | undefined {
  const text = serviceUrlOf(request, publicUrl);
  if (text === undefined) return undefined;
  const url = new URL(text);
  return url.protocol === 'https:' || isLoopback(url.hostname) ? url.href.replace(/\/+$/, '') : undefined;
}

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
