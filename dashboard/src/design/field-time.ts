import { LAST_DAY } from './local-day.ts';

const MINUTE_MS = 60_000;

/** The last time that a field takes. */
export const LAST_TIME = `${LAST_DAY}T23:59:59`;

/** Writes a time as an input of type `datetime-local` takes it: in the time zone of the browser, without its name. */
export function toFieldTime(at: string | undefined): string {
  if (at === undefined) return '';
  const moment = new Date(at);
  const local = new Date(moment.getTime() - moment.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, 19);
}

/** Reads such a time; null for an empty input. */
export function toInstant(value: string): string | null {
  return value === '' ? null : new Date(value).toISOString();
}
