import { SECOND_MS } from './durations.ts';

/** Milliseconds of a `Retry-After` header in seconds or as a date; undefined when it is missing or invalid. */
export function readRetryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * SECOND_MS;
  // An HTTP date starts with its weekday. Date.parse alone accepts almost anything.
  const moment = /^[A-Z][a-z]+, /.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(moment) ? undefined : Math.max(0, moment - now.getTime());
}
