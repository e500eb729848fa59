/** A stretch of time, in UTC: `from` inclusive, `to` exclusive. */
export interface Period {
  readonly from: Date;
  readonly to: Date;
}

/** What a query says about time. */
export interface TimeExpression {
  readonly period?: Period;
  /** Whether the newest is asked for ("latest", "currently"). */
  readonly newest: boolean;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const YEAR = '((?:19|20)\\d\\d)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const NEWEST =
  /\b(latest|newest|most recent(?:ly)?|currently|current|right now|nowadays|these days|as of now)\b/;

/** Longest part of a query that is searched for time expressions, in characters. */
const LONGEST_QUERY = 1000;

interface Rule {
  readonly pattern: RegExp;
  /** The period meant, or undefined when the match turns out not to be a date. */
  readonly period: (match: RegExpExecArray, now: Date) => Period | undefined;
}

/** The first rule that matches decides, so the more exact ones come first. */
const RULES: readonly Rule[] = [
  {
    pattern: /\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b/,
    period: ([, year, month, day]) => dayOf(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: new RegExp(`\\b${DAY}(?: of)? ${MONTH}\\b(?:,? ${YEAR})?`),
    period: ([, day, month, year], now) => namedDay(day, month, year, now),
  },
  {
    pattern: new RegExp(`\\b${MONTH} ${DAY}\\b(?:,? ${YEAR})?`),
    period: ([, month, day, year], now) => namedDay(day, month, year, now),
  },
  {
    pattern: new RegExp(`\\b${MONTH}(?: of)?,? ${YEAR}\\b`),
    period: ([, month, year]) => monthOf(Number(year), monthIndex(month)),
  },
  {
    // A bare "may" or "march" is a verb; "in may" is not.
    pattern: new RegExp(`\\b(?:in|during|since|last|of|by|early|late|mid)[ -]${MONTH}\\b`),
    period: ([, month], now) => lastMonthNamed(monthIndex(month), now),
  },
  {
    pattern: new RegExp(`\\b(?:in|during|of|from|since) ${YEAR}\\b`),
    period: ([, year]) => yearOf(Number(year)),
  },
  {
    pattern: /\btoday\b|\bthis (?:morning|afternoon|evening)\b|\btonight\b/,
    period: (_, now) => days(now, 0, 1),
  },
  { pattern: /\bday before yesterday\b/, period: (_, now) => days(now, -2, -1) },
  { pattern: /\byesterday\b|\blast night\b/, period: (_, now) => days(now, -1, 0) },
  { pattern: /\btomorrow\b/, period: (_, now) => days(now, 1, 2) },
  {
    pattern: /\b(?:last|past) (\d{1,3}|[a-z]+) (day|week|month|year)s\b/,
    period: ([, count, unit], now) => lastFew(count, unit, now),
  },
  {
    pattern: /\b(\d{1,3}|an?|[a-z]+) (day|week|month|year)s? ago\b/,
    period: ([, count, unit], now) => someAgo(count, unit, now),
  },
  {
    pattern: /\b(this|last|past|previous|next) (week|weekend|month|year)\b/,
    period: ([, which, unit], now) => neighbouring(which, unit, now),
  },
  {
    pattern: new RegExp(`\\b(?:last|on|this past) (${WEEKDAYS.join('|')})\\b`),
    period: ([, weekday], now) => lastWeekday(weekday, now),
  },
  { pattern: /\b(?:recently|lately|the other day)\b/, period: (_, now) => days(now, -21, 1) },
];

/**
 * Finds what a query says about time. English; a hint for ranking, never a filter.
 * @param query any text; its first 1,000 characters are read
 * @param now what "last week" is relative to
 */
export function readTimeExpression(query: string, now: Date): TimeExpression {
  const text = query.slice(0, LONGEST_QUERY).toLowerCase().replace(/\s+/g, ' ');
  const newest = NEWEST.test(text);
  for (const { pattern, period: meant } of RULES) {
    const match = pattern.exec(text);
    const period = match === null ? undefined : meant(match, now);
    if (period !== undefined) return { period, newest };
  }
  return { newest };
}

function monthIndex(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3));
}

/** A day whose year may be left out: the most recent such day, as memories lie in the past. */
function namedDay(day: string | undefined, month: string | undefined, year: string | undefined, now: Date) {
  const index = monthIndex(month);
  if (year !== undefined) return dayOf(Number(year), index, Number(day));
  const thisYear = dayOf(now.getUTCFullYear(), index, Number(day));
  if (thisYear !== undefined && thisYear.from <= now) return thisYear;
  return dayOf(now.getUTCFullYear() - 1, index, Number(day));
}

function lastMonthNamed(index: number, now: Date): Period {
  const year = now.getUTCFullYear() - (index > now.getUTCMonth() ? 1 : 0);
  return monthOf(year, index);
}

function lastFew(count: string | undefined, unit: string | undefined, now: Date): Period | undefined {
  const number = numberOf(count);
  if (number === undefined) return undefined;
  return { from: shift(startOfDay(now), unit, -number), to: shift(startOfDay(now), 'day', 1) };
}

/** "3 weeks ago" is said of anything half a unit to either side. */
function someAgo(count: string | undefined, unit: string | undefined, now: Date): Period | undefined {
  const number = numberOf(count);
  if (number === undefined) return undefined;
  const middle = shift(startOfDay(now), unit, -number);
  if (unit === 'day') return { from: middle, to: shift(middle, 'day', 1) };
  const half = unit === 'week' ? 4 : unit === 'month' ? 15 : 180;
  return { from: shift(middle, 'day', -half), to: shift(middle, 'day', half) };
}

function neighbouring(which: string | undefined, unit: string | undefined, now: Date): Period {
  const step = which === 'this' ? 0 : which === 'next' ? 1 : -1;
  const year = now.getUTCFullYear();
  if (unit === 'year') return yearOf(year + step);
  if (unit === 'month') return monthOf(year, now.getUTCMonth() + step);
  const monday = -((now.getUTCDay() + 6) % 7);
  if (unit === 'week') return days(now, monday + 7 * step, monday + 7 * step + 7);
  const saturday = monday + 5 + 7 * step;
  return days(now, saturday, saturday + 2);
}

function lastWeekday(name: string | undefined, now: Date): Period {
  const back = (now.getUTCDay() - WEEKDAYS.indexOf(name ?? '') + 7) % 7 || 7;
  return days(now, -back, -back + 1);
}

function numberOf(word: string | undefined): number | undefined {
  if (word === undefined) return undefined;
  if (/^\d+$/.test(word)) return Number(word);
  if (word === 'a' || word === 'an') return 1;
  if (word === 'couple') return 2;
  if (word === 'few' || word === 'several') return 3;
  const number = NUMBERS.indexOf(word);
  return number < 0 ? undefined : number;
}

function shift(date: Date, unit: string | undefined, by: number): Date {
  const shifted = new Date(date);
  if (unit === 'day') shifted.setUTCDate(date.getUTCDate() + by);
  if (unit === 'week') shifted.setUTCDate(date.getUTCDate() + 7 * by);
  if (unit === 'month') shifted.setUTCMonth(date.getUTCMonth() + by);
  if (unit === 'year') shifted.setUTCFullYear(date.getUTCFullYear() + by);
  return shifted;
}

function startOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()));
}

function days(now: Date, from: number, to: number): Period {
  const today = startOfDay(now);
  return { from: shift(today, 'day', from), to: shift(today, 'day', to) };
}

function dayOf(year: number, month: number, day: number): Period | undefined {
  const from = new Date(Date.UTC(year, month, day));
  if (from.getUTCMonth() !== month || from.getUTCDate() !== day) return undefined;
  return { from, to: shift(from, 'day', 1) };
}

function monthOf(year: number, month: number): Period {
  return { from: new Date(Date.UTC(year, month, 1)), to: new Date(Date.UTC(year, month + 1, 1)) };
}

function yearOf(year: number): Period {
  return { from: new Date(Date.UTC(year, 0, 1)), to: new Date(Date.UTC(year + 1, 0, 1)) };
}
