import {
  dayOf,
  monthOf,
  monthsOf,
  type NamedPeriod,
  type Period,
  recentDay,
  recentMonth,
  yearOf,
} from './period.ts';

/** A way to write a date, and what it means: undefined where the match turns out to be none. */
export interface DateRule {
  readonly pattern: RegExp;
  readonly period: (match: RegExpExecArray, now: Date) => Period | undefined;
}

const HAS_DIGIT = /\d|[一二三四五六七八九十]月/;
const YEAR = '((?:19|20)\\d\\d)';

/** A month, and a day, of Chinese, Japanese and Korean: in digits or as Han numerals. */
const MONTH = '(?<![\\d一二三四五六七八九十])(\\d{1,2}|十[一二]?|[一二三四五六七八九])[月월]';
const DAY_OF_MONTH = '(\\d{1,2}|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])[日号號일]';

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
    pattern: new RegExp(`${YEAR}[年년] ?${MONTH} ?${DAY_OF_MONTH}`),
    period: ([, year, month, day]) => dayOf(Number(year), numberOf(month) - 1, numberOf(day)),
  },
  {
    pattern: new RegExp(`${YEAR}[年년] ?${MONTH}`),
    period: ([, year, month]) => monthOf(Number(year), numberOf(month) - 1),
  },
  {
    pattern: new RegExp(`${MONTH} ?${DAY_OF_MONTH}`),
    period: ([, month, day], now) => recentDay(numberOf(day), numberOf(month) - 1, now),
  },
  {
    // "三月前" is three months ago, and "3월드" no month.
    pattern: new RegExp(`${MONTH}(?![間间前]|[가-힣](?<![에은는이의중말초부까]))`),
    period: ([, month], now) => {
      const place = numberOf(month) - 1;
      return place < 0 || place > 11 ? undefined : recentMonth(place, now);
    },
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

const HAN_DIGITS = '〇一二三四五六七八九';

/** A number below a hundred in digits or Han numerals; 0 where it is missing. */
function numberOf(written = ''): number {
  if (/^\d/.test(written)) return Number(written);
  const [tens = '', ones = ''] = written.includes('十') ? written.split('十') : ['〇', written];
  return 10 * (tens === '' ? 1 : HAN_DIGITS.indexOf(tens)) + Math.max(0, HAN_DIGITS.indexOf(ones || '〇'));
}

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
