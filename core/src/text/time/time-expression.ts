import type { Language } from '../language.ts';
import { fold } from '../words.ts';
import { readRange } from './date-range.ts';
import { readEnglishTime } from './english-time.ts';
import { readForeignTime } from './foreign-time.ts';
import { days, type Period } from './period.ts';
import { readWrittenDate } from './written-date.ts';

/** What a query says about time. */
interface TimeExpression {
  readonly period?: Period;
  /** Whether the newest is asked for ("latest", "currently"). */
  readonly newest: boolean;
  /** The query, folded, without the words that name the period. */
  readonly rest: string;
}

const NEWEST =
  /\b(latest|newest|most recent(?:ly)?|currently|current|right now|nowadays|these days|as of now)\b/;
/** Makes a time the start of what is asked for. */
const SINCE = /\b(?:since|seit|desde|depuis|sinds)\b/;

/** Longest part of a query that is searched for time expressions, in characters. */
const LONGEST_QUERY = 1000;

/**
 * Finds what a query says about time: dates in digits, names of months in the languages of the stemmers, and words such as
 * "last week" in English and the most usual others. A hint for ranking, never a filter.
 *
 * @param query any text; its first 1,000 characters are read
 * @param now what "last week" is relative to
 * @param language of the query, if known
 */
export function readTimeExpression(query: string, now: Date, language?: Language): TimeExpression {
  const all = fold(query).replace(/\s+/g, ' ');
  const text = all.slice(0, LONGEST_QUERY);
  const newest = NEWEST.test(text);
  const read = (part: string, at: Date) =>
    readWrittenDate(part, at) ?? readForeignTime(part, at, language) ?? readEnglishTime(part, at);
  const first = read(text, now);
  if (first === undefined) return { newest, rest: all };
  const { period, start, end } = readRange(text, first, { read, now }) ?? first;
  const isOpen = SINCE.test(text) && period.from <= now;
  return {
    period: isOpen ? { from: period.from, to: days(now, 0, 1).to } : period,
    newest,
    rest: `${all.slice(0, start)} ${all.slice(end)}`,
  };
}
