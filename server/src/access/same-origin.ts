import { SvcError } from '@svc-memory/core/contract';
import type { Request } from 'express';

/** The methods that RFC 9110 calls safe: they change nothing. */
export const SAFE_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

/**
 * Refuses a call that a page of another site sent with the human's cookie (CSRF): a changing call must name our own
 * origin, and no call may come from another site.
 *
 * @param publicUrl Address whose origin is ours too, where the service is reached under another name.
 */
export function requireSameOrigin(request: Request, publicUrl: string | undefined): void {
  const origin = request.get('origin');
  const site = request.get('sec-fetch-site');
  const sameSite = site === undefined || site === 'same-origin' || site === 'none';
  const named = origin === undefined ? site !== undefined : isOwn(origin, request, publicUrl);
  const mayOmit = SAFE_METHODS.includes(request.method) && origin === undefined;
  if (sameSite && (named || mayOmit)) return;
  throw new SvcError(
    'FORBIDDEN',
    'This call came from another site, or does not say where it came from (Origin header). Behind a proxy, SVC_PUBLIC_URL must be the address that browsers use.',
  );
}

/** Refuses a call that a browser sent from a page of another site; callers that are no browsers name no origin. */
export function refuseForeignOrigin(request: Request, publicUrl: string | undefined): void {
  if (request.get('origin') !== undefined || request.get('sec-fetch-site') !== undefined) {
    requireSameOrigin(request, publicUrl);
  }
}

function isOwn(origin: string, request: Request, publicUrl: string | undefined): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: normal } = new URL(origin);
  return (
    host === request.get('host')?.toLowerCase() ||
    (publicUrl !== undefined && normal === new URL(publicUrl).origin)
  );
}
