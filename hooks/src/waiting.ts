import { openRequestSpool } from './files/spool.ts';
import { keyDigest, maySend } from './owner.ts';

/**
 * How many requests wait in a folder: those that the next hook sends, and those of another agent or user than the key, or of whom it
 * is not known.
 */
export function countWaiting(
  home: string,
  apiKey: string | undefined,
): { readonly own: number; readonly others: number } {
  const spool = openRequestSpool(home);
  const key = apiKey === undefined ? undefined : keyDigest(apiKey);
  const kept = spool.names().flatMap((name) => spool.read(name) ?? []);
  const own = kept.filter(({ owner }) => maySend(home, owner, key)).length;
  return { own, others: kept.length - own };
}
