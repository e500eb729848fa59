/** A stretch of time, in UTC: `from` inclusive, `to` exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** Longest period of which a memory is told by being from it, in days: a week, or about three weeks ago. */
const SHORT = 8;
const DAY_MS = 86_400_000;

/** Whether it is some days rather than a month: so little happened in it that it tells what is asked for. */
export function isShort(period: Period | undefined): boolean {
  return period !== undefined && period.to.getTime() - period.from.getTime() <= SHORT * DAY_MS;
}

/** A period that a text names, and the place of the words by which it does. */
export interface NamedPeriod {
  readonly period: Period;
  readonly start: number;
  readonly end: number;
}

/** A unit that people count time in. */
export type Unit = 'day' | 'week' | 'weekend' | 'month' | 'year';

/** Days around which "3 weeks ago" is said of anything: half a unit to either side. */
const HALF: Readonly<Record<Unit, number>> = { day: 0, week: 4, weekend: 4, month: 15, year: 180 };

export function startOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
}

export function shift(date: Date, unit: Unit, by: number): Date {
  const shifted = new Date(date);
  if (unit === 'day') shifted.setUTCDate(date.getUTCDate() + by);
  if (unit === 'week' || unit === 'weekend') shifted.setUTCDate(date.getUTCDate() + 7 * by);
  if (unit === 'month') shifted.setUTCMonth(date.getUTCMonth() + by);
  if (unit === 'year') shifted.setUTCFullYear(date.getUTCFullYear() + by);
  return shifted;
}

/** From so many days after today up to so many, exclusive. */
export function days(now: Date, from: number, to: number): Period {
  const today = startOfDay(now);
  return { from: shift(today, 'day', from), to: shift(today, 'day', to) };
}

/** @returns undefined for a day that the calendar does not have */
export function dayOf(year: number, month: number, day: number): Period | undefined {
  const from = new Date(Date.UTC(year, month, day));
  if (month < 0 || month > 11 || from.getUTCMonth() !== month || from.getUTCDate() !== day) return undefined;
  return { from, to: shift(from, 'day', 1) };
}

/** @param month 0 for January; beyond a year, of the years before or after */
export function monthOf(year: number, month: number): Period {
  return monthsOf(year, month, 1);
}

/** So many months from one on. */
export function monthsOf(year: number, month: number, count: number): Period {
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + count, 1)) };
}

export function yearOf(year: number): Period {
  return monthsOf(year, 0, 12);
}

/** A day whose year may be left out: the most recent such day, as memories lie in the past. */
export function recentDay(day: number, month: number, now: Date): Period | undefined {
  const thisYear = dayOf(now.getUTCFullYear(), month, day);
  if (thisYear !== undefined && thisYear.from <= now) return thisYear;
  return dayOf(now.getUTCFullYear() - 1, month, day);
}

/** The same of a month. */
export function recentMonth(month: number, now: Date): Period {
  return monthOf(now.getUTCFullYear() - (month > now.getUTCMonth() ? 1 : 0), month);
}

/** The unit that is so many after the one of today: -1 for last week. */
export function unitFrom(now: Date, unit: Unit, step: number): Period {
  const year = now.getUTCFullYear();
  if (unit === 'day') return days(now, step, step + 1);
  if (unit === 'year') return yearOf(year + step);
  if (unit === 'month') return monthOf(year, now.getUTCMonth() + step);
  const monday = 7 * step - ((now.getUTCDay() + 6) % 7);
  return unit === 'week' ? days(now, monday, monday + 7) : days(now, monday + 5, monday + 7);
}

/** About so many units ago. */
export function someAgo(now: Date, unit: Unit, count: number): Period {
  const middle = shift(startOfDay(now), unit, -count);
  const half = HALF[unit];
  return { from: shift(middle, 'day', -half), to: shift(middle, 'day', Math.max(1, half)) };
}
