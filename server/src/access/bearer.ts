import { createHash, timingSafeEqual } from 'node:crypto';
import type { Request } from 'express';

const BEARER = /^Bearer +([\x21-\x7e]{1,512}) *$/i;

/** The bearer token of a request, or an empty text. Two `Authorization` headers are no token. */
export function bearerToken(request: Request): string {
  const [header, ...others] = request.headersDistinct.authorization ?? [];
  return (others.length === 0 && BEARER.exec(header ?? '')?.[1]) || '';
}

/** Compares two secrets in constant time. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
