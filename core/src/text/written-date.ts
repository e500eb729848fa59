import { dayOf, monthOf, monthsOf, type NamedPeriod, type Period, recentDay, yearOf } from './period.ts';

/** A way to write a date, and what it means: undefined where the match turns out to be none. */
export interface DateRule {
  readonly pattern: RegExp;
  readonly period: (match: RegExpExecArray, now: Date) => Period | undefined;
}

const HAS_DIGIT = /\d/;
const YEAR = '((?:19|20)\\d\\d)';

/** Dates in digits, as any language has them. The first rule that matches decides, so the more exact ones come first. */
const DATES: readonly DateRule[] = [
  {
    pattern: new RegExp(`\\b${YEAR}([-/.])(\\d{1,2})\\2(\\d{1,2})\\b`),
    period: ([, year, , month, day]) => dayOf(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: new RegExp(`(?<![\\d.])(\\d{1,2})\\. ?(\\d{1,2})\\. ?${YEAR}(?!\\.?\\d)`),
    period: ([, day, month, year]) => dayOf(Number(year), Number(month) - 1, Number(day)),
  },
  {
    // Day first, as in most countries, unless that is no date.
    pattern: new RegExp(`(?<![\\d/-])(\\d{1,2})([/-])(\\d{1,2})\\2${YEAR}(?![/-]?\\d)`),
    period: ([, first, , second, year]) =>
      dayOf(Number(year), Number(second) - 1, Number(first)) ??
      dayOf(Number(year), Number(first) - 1, Number(second)),
  },
  {
    pattern: new RegExp(`${YEAR}[年년] ?(\\d{1,2})[月월] ?(\\d{1,2})[日号號일]`),
    period: ([, year, month, day]) => dayOf(Number(year), Number(month) - 1, Number(day)),
  },
  {
    pattern: new RegExp(`${YEAR}[年년] ?(\\d{1,2})[月월]`),
    period: ([, year, month]) => monthOf(Number(year), Number(month) - 1),
  },
  {
    pattern: /(?<!\d)(\d{1,2})[月월] ?(\d{1,2})[日号號일]/,
    period: ([, month, day], now) => recentDay(Number(day), Number(month) - 1, now),
  },
  { pattern: new RegExp(`${YEAR}[年년]`), period: ([, year]) => yearOf(Number(year)) },
  {
    pattern: new RegExp(`\\bq([1-4])(?:[ -/]|,? (?:of )?)${YEAR}\\b`),
    period: ([, quarter, year]) => monthsOf(Number(year), 3 * (Number(quarter) - 1), 3),
  },
  {
    pattern: new RegExp(`\\b${YEAR}[ -/]?q([1-4])\\b`),
    period: ([, year, quarter]) => monthsOf(Number(year), 3 * (Number(quarter) - 1), 3),
  },
];

/** What the first rule that matches a text finds there. */
export function firstOf(rules: readonly DateRule[], text: string, now: Date): NamedPeriod | undefined {
  for (const { pattern, period: meant } of rules) {
    const match = pattern.exec(text);
    const period = match === null ? undefined : meant(match, now);
    if (match && period) return { period, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

/** The date that a text holds in digits, with or without the signs of Chinese, Japanese and Korean. */
export function readWrittenDate(text: string, now: Date): NamedPeriod | undefined {
  return HAS_DIGIT.test(text) ? firstOf(DATES, text, now) : undefined;
}
