import {
  dayOf,
  days,
  monthOf,
  monthsOf,
  type NamedPeriod,
  type Period,
  recentDay,
  recentMonth,
  shift,
  someAgo,
  startOfDay,
  type Unit,
  unitFrom,
  yearOf,
} from './period.ts';
import { type DateRule, firstOf } from './written-date.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const NUMBERS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const ORDINALS = ['first', 'second', 'third', 'fourth', 'last'];
/** First months of the seasons of the northern hemisphere, 0 for January. */
const SEASONS: Readonly<Record<string, number>> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };
const YEAR = '((?:19|20)\\d\\d)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
/** Part of a month or a year: "the beginning of". */
const PART = '(early|beginning|start|mid|middle|late|end)(?: (?:of|in)|[ -])(?: the)? ?';
const STEPS: Readonly<Record<string, number>> = { this: 0, next: 1 };

/** The first rule that matches decides, so the more exact ones come first. */
const RULES: readonly DateRule[] = [
  {
    pattern: new RegExp(
      `\\b(?:between|from) ${MONTH}(?:,? ${YEAR})? (?:and|to|until) ${MONTH}(?:,? ${YEAR})?`,
    ),
    period: ([, first, firstYear, last, lastYear], now) =>
      fromTo(namedMonth(first, firstYear ?? lastYear, now), namedMonth(last, lastYear ?? firstYear, now)),
  },
  {
    pattern: new RegExp(`\\b(?:between|from) ${DAY} (?:and|to|until) ${DAY}(?: of)? ${MONTH}(?:,? ${YEAR})?`),
    period: ([, first, last, month, year], now) =>
      fromTo(namedDay(first, month, year, now), namedDay(last, month, year, now)),
  },
  {
    pattern: new RegExp(`\\b(${ORDINALS.join('|')}) week (?:of|in) (?:${MONTH}(?:,? ${YEAR})?|${YEAR})`),
    period: ([, ordinal, month, year, alone], now) =>
      weekOf(ordinal, alone ? yearOf(Number(alone)) : namedMonth(month, year, now)),
  },
  {
    pattern: new RegExp(`\\b${PART}${MONTH}\\b(?:,? ${YEAR})?`),
    period: ([, part, month, year], now) => partOf(part, namedMonth(month, year, now)),
  },
  {
    pattern: new RegExp(`\\b${PART}${YEAR}\\b`),
    period: ([, part, year]) => partOf(part, yearOf(Number(year))),
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
    pattern: new RegExp(`\\b(?:in|during|since|last|of|by)[ -]${MONTH}\\b`),
    period: ([, month], now) => recentMonth(monthIndex(month), now),
  },
  {
    pattern: new RegExp(`\\b(spring|summer|autumn|fall|winter)(?: of|,)? ${YEAR}\\b`),
    period: ([, season, year]) => seasonOf(season, Number(year)),
  },
  {
    pattern: /\b(?:last|this|over the|during the|since) (spring|summer|autumn|winter)\b/,
    period: ([, season], now) => recently(season, now),
  },
  { pattern: /\b(?:last|this) (fall)\b/, period: ([, season], now) => recently(season, now) },
  {
    pattern: /\b(?:over|at|for|last|during|since) (?:the )?christmas\b/,
    period: (_, now) => christmas(now),
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
    period: ([, count, unit], now) => lastFew(count, unit as Unit, now),
  },
  {
    pattern: /\b(\d{1,3}|an?|[a-z]+) (day|week|month|year)s? ago\b/,
    period: ([, count, unit], now) => fewAgo(count, unit as Unit, now),
  },
  {
    pattern: /\b(this|last|past|previous|next) (week|weekend|month|year)\b/,
    period: ([, which = '', unit], now) => unitFrom(now, unit as Unit, STEPS[which] ?? -1),
  },
  {
    pattern: new RegExp(`\\b(?:last|on|this past|since) (${WEEKDAYS.join('|')})\\b`),
    period: ([, weekday], now) => lastWeekday(weekday, now),
  },
  { pattern: /\b(?:recently|lately|the other day)\b/, period: (_, now) => days(now, -21, 1) },
];

/** @param text folded */
export function readEnglishTime(text: string, now: Date): NamedPeriod | undefined {
  return firstOf(RULES, text, now);
}

function monthIndex(name: string | undefined): number {
  return MONTHS.indexOf((name ?? '').slice(0, 3));
}

function namedMonth(name: string | undefined, year: string | undefined, now: Date): Period {
  const month = monthIndex(name);
  return year === undefined ? recentMonth(month, now) : monthOf(Number(year), month);
}

function namedDay(day: string | undefined, name: string | undefined, year: string | undefined, now: Date) {
  const month = monthIndex(name);
  return year === undefined ? recentDay(Number(day), month, now) : dayOf(Number(year), month, Number(day));
}

/** From one period to another: that before it where the first comes later, as "from November to March" does. */
function fromTo(first: Period | undefined, last: Period | undefined): Period | undefined {
  if (!first || !last) return undefined;
  const from = first.from < last.to ? first.from : shift(first.from, 'year', -1);
  return { from, to: last.to };
}

function partOf(part: string | undefined, { from, to }: Period): Period {
  const third = (to.getTime() - from.getTime()) / 3;
  const number = part?.startsWith('mid') ? 1 : part === 'late' || part === 'end' ? 2 : 0;
  const start = new Date(from.getTime() + number * third);
  return { from: startOfDay(start), to: startOfDay(new Date(start.getTime() + third)) };
}

function weekOf(ordinal: string | undefined, { from, to }: Period): Period {
  const start =
    ordinal === 'last' ? shift(to, 'week', -1) : shift(from, 'week', ORDINALS.indexOf(ordinal ?? ''));
  return { from: start, to: shift(start, 'week', 1) };
}

/** Winter is that which begins in the year. */
function seasonOf(season: string | undefined, year: number): Period {
  return monthsOf(year, SEASONS[season ?? ''] ?? 0, 3);
}

/** The latest season of the name that has begun. */
function recently(season: string | undefined, now: Date): Period {
  const thisYear = seasonOf(season, now.getUTCFullYear());
  return thisYear.from <= now ? thisYear : seasonOf(season, now.getUTCFullYear() - 1);
}

/** From some days before the last 25 December to the new year. */
function christmas(now: Date): Period {
  const { from } = recentDay(25, 11, now) ?? days(now, 0, 1);
  return { from: shift(from, 'day', -5), to: shift(from, 'day', 7) };
}

function lastFew(count: string | undefined, unit: Unit, now: Date): Period | undefined {
  const number = numberOf(count);
  if (number === undefined) return undefined;
  return { from: shift(startOfDay(now), unit, -number), to: shift(startOfDay(now), 'day', 1) };
}

function fewAgo(count: string | undefined, unit: Unit, now: Date): Period | undefined {
  const number = numberOf(count);
  return number === undefined ? undefined : someAgo(now, unit, number);
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
