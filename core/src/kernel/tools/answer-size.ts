/**
 * Bytes that an answer of a tool may take where the caller sets no limit, some 10,000 tokens. Hosts refuse what is much longer or put
 * it into a file: Claude Code warns from 10,000 tokens on, and takes 25,000 at most.
 */
export const MOST_BYTES = 40_000;

/** Bytes of a value as JSON in UTF-8. */
export function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}
