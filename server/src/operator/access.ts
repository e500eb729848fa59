import { SvcError } from '@svc-memory/core/contract';
import type { Request, RequestHandler } from 'express';
import { bearerToken, isSameSecret } from '../access/bearer.ts';
import { requireSameOrigin, SAFE_METHODS } from '../access/same-origin.ts';

const BASIC = /^Basic +([A-Za-z0-9+/=]{1,1024}) *$/i;

/**
 * Lets the operator through: the token as a bearer, or as the password of HTTP Basic, which browsers ask for. A browser
 * sends that password by itself, so a changing call must also come from our own pages.
 */
export function requireOperator(token: string, publicUrl: string | undefined): RequestHandler {
  return (request, response, next) => {
    const password = basicPassword(request);
    if (!isSameSecret(password ?? bearerToken(request), token)) {
      response.setHeader('WWW-Authenticate', 'Basic realm="operator", charset="UTF-8"');
      throw new SvcError(
        'UNAUTHORIZED',
        'This page is for the operator: SVC_OPERATOR_TOKEN is its password.',
      );
    }
    if (password !== undefined && !SAFE_METHODS.includes(request.method))
      requireSameOrigin(request, publicUrl);
    next();
  };
}

function basicPassword(request: Request): string | undefined {
  const [header, ...others] = request.headersDistinct.authorization ?? [];
  const encoded = others.length === 0 ? BASIC.exec(header ?? '')?.[1] : undefined;
  return (
    encoded &&
    Buffer.from(encoded, 'base64')
      .toString('utf8')
      .replace(/^[^:]*:/, '')
  );
}
