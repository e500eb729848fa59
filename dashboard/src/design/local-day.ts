// A day is written `2026-11-24` and is one of the browser's time zone.

/** The time zone of the browser, by its name in the IANA database. */
export const TIME_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The last day that a field takes: without one, browsers take years of six digits, which are no dates anywhere else. */
export const LAST_DAY = '9999-12-31';

const WEEKDAYS = 7;

/** Whether a field of a date holds a whole date: a link may hold anything. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** The day of a time. */
export function localDayOf(time: Date): string {
  const [year, month, day] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The day so many days later. */
export function dayAfter(day: string, days: number): string {
  // At noon no change of the clocks leads into another day.
  const noon = new Date(`${day}T12:00:00`);
  noon.setDate(noon.getDate() + days);
  return localDayOf(noon);
}

/** The first moment of a day. */
export function startOfLocalDay(day: string): string {
  return new Date(`${day}T00:00:00`).toISOString();
}

/** The last moment of a day. */
export function endOfLocalDay(day: string): string {
  return new Date(Date.parse(startOfLocalDay(dayAfter(day, 1))) - 1).toISOString();
}

/** How many days after the first day of its week a day is, where that is the first in a language: Sunday in en-US. */
export function weekdayOf(day: string, language: string): number {
  const weekday = new Date(`${day}T12:00:00`).getDay();
  return (weekday - firstWeekday(language) + WEEKDAYS) % WEEKDAYS;
}

interface WeekInfo {
  /** From 1, Monday, to 7, Sunday. */
  readonly firstDay: number;
}

/** The first day of the week, 0 for Sunday; Monday where the browser does not know it. */
function firstWeekday(language: string): number {
  // Browsers know it by one of two names, which the types do not have.
  const locale: Intl.Locale & { getWeekInfo?(): WeekInfo; readonly weekInfo?: WeekInfo } = new Intl.Locale(
    language,
  );
  return (locale.getWeekInfo?.() ?? locale.weekInfo ?? { firstDay: 1 }).firstDay % WEEKDAYS;
}
