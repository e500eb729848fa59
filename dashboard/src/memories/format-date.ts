import { LOCALES } from '../design/format.ts';

const date = new Intl.DateTimeFormat(LOCALES, { dateStyle: 'full' });

/** Writes a date with its weekday, in the time zone of the browser. */
export function formatDate(at: string): string {
  return date.format(new Date(at));
}
