import { z } from 'zod';
import * as field from '../../../kernel/contract/fields.ts';

/** Numbers of this size and more count milliseconds, microseconds, nanoseconds: in seconds they would be a year after 5138. */
const UNITS_PER_SECOND = [
  [1e17, 1e9],
  [1e14, 1e6],
  [1e11, 1e3],
] as const;
const NUMBER = /^\d{9,19}(?:\.\d+)?$/;

/** What a time has to be, as errors say it. */
export const TIME_RULE = 'must be a time in ISO 8601, or seconds since 1970';

/** A moment as services write it: ISO 8601 or as PostgreSQL prints it, without zone meaning UTC, or a number since 1970. */
export const moment = z
  .unknown()
  .optional()
  .transform((value): Date | undefined => {
    if (typeof value === 'number') return fromNumber(value);
    if (typeof value !== 'string') return undefined;
    const text = value.trim();
    return NUMBER.test(text) ? fromNumber(Number(text)) : fromText(text);
  });

function fromNumber(value: number): Date | undefined {
  const [, perSecond] = UNITS_PER_SECOND.find(([from]) => Math.abs(value) >= from) ?? [0, 1];
  return valid(new Date((value / perSecond) * 1_000));
}

function fromText(text: string): Date | undefined {
  // As PostgreSQL and Python print it: `2026-02-01 09:30:00+00`, `2026-02-01 09:30:00 UTC`.
  const iso = text.replace(/^([\d-]{10}) /, '$1T').replace(/ ?(?:UTC|GMT)$/i, 'Z');
  return field.timestamp.safeParse(iso).data;
}

function valid(date: Date): Date | undefined {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

/** Which fields of a record hold a time that cannot be read, each with the rule. Many write an empty text where there is none. */
export function unreadableTimes(record: unknown, names: readonly string[]): string[] {
  const known = z.record(z.string(), z.unknown()).safeParse(record).data ?? {};
  return names.flatMap((name) => {
    const value = Object.hasOwn(known, name) ? (known[name] ?? '') : '';
    return value === '' || moment.safeParse(value).data ? [] : [`${name}: ${TIME_RULE}`];
  });
}

export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** A list of texts that may be missing; what is no text in it is left out. */
export const textList = z
  .array(z.unknown())
  .nullish()
  .transform((values) => (values ?? []).filter((value): value is string => typeof value === 'string'));
