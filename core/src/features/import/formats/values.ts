import { z } from 'zod';

const LATEST_SECONDS = 100_000_000_000;
const ZONE = /(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/** A moment as services write it: ISO 8601, without zone meaning UTC, or seconds or milliseconds since 1970. */
export const moment = z
  .union([z.string(), z.number()])
  .nullish()
  .transform((value): Date | undefined => {
    if (value === null || value === undefined) return undefined;
    if (typeof value === 'number')
      return valid(new Date(Math.abs(value) < LATEST_SECONDS ? value * 1_000 : value));
    const text = value.trim();
    if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
    const hasTime = text.length > 10 && !ZONE.test(text);
    return valid(new Date(hasTime ? `${text.replace(' ', 'T')}Z` : text));
  });

function valid(date: Date): Date | undefined {
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date : undefined;
}

/** Text that may be missing. */
export const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? undefined);

/** A list of texts that may be missing; what is no text in it is left out. */
export const textList = z
  .array(z.unknown())
  .nullish()
  .transform((values) => (values ?? []).filter((value): value is string => typeof value === 'string'));
