import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares a secret with what a caller gave, in a time that tells nothing about either. */
export function isSameSecret(given: string, expected: string): boolean {
  const digest = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
