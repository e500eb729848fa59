import { formatLanguages } from '../language/language.ts';

/** Numbers and dates are written as in the first of these languages. */
export const LOCALES = formatLanguages();

const number = new Intl.NumberFormat(LOCALES);
const moment = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'full', timeStyle: 'medium' });
const date = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'full' });
const day = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'medium' });

/** Writes a number: `12,345`, or `12.345` in a German browser. */
export function formatNumber(value: number): string {
  return number.format(value);
}

const SIZES = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

/** Writes how large a file is: `3.2 MB`. */
export function formatBytes(bytes: number): string {
  const power = Math.min(SIZES.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return new Intl.NumberFormat(LOCALES, {
    style: 'unit',
    unit: SIZES[power] ?? 'byte',
    maximumSignificantDigits: 3,
  }).format(bytes / 1_000 ** power);
}

const share = new Intl.NumberFormat(LOCALES, { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Writes a number from 0 to 1: `0.25`, or `0,25` in a German browser. */
export function formatShare(value: number): string {
  return share.format(value);
}

/** Writes a date with its weekday and time, in the time zone of the browser. */
export function formatMoment(at: string): string {
  return moment.format(new Date(at));
}

/** Writes a date with its weekday, without its time, in the time zone of the browser. */
export function formatDate(at: string): string {
  return date.format(new Date(at));
}

/** Writes a date without its weekday and time, in the time zone of the browser. */
export function formatDay(at: string): string {
  return day.format(new Date(at));
}
