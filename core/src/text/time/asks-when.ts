import type { Language } from '../language.ts';
import { fold } from '../words.ts';
import { calendarExpressions } from './calendar-names.ts';
import { edgeOf, patternOf, wordedIn } from './foreign-time.ts';
import { timeWordings } from './time-wordings.ts';

const ASKS_WHEN = /\bwhen\b|\b(what|which) (day|date|month|year)\b|\bhow long\b/i;
const TIME_WORDS =
  /\b(yesterday|today|tonight|tomorrow|ago|weekend|weeks?|months?|years?|morning|last|next|recently|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(19|20)\d\d)\b/i;

/** A question for a time, and what tells a time, in a language. */
interface Wording {
  readonly asks: RegExp;
  readonly tells: RegExp;
}

/** Whether a query asks when something was or will be. */
export function asksWhen(query: string, language: Language | undefined): boolean {
  if (ASKS_WHEN.test(query)) return true;
  const text = fold(query);
  return wordedIn(text, language).some((one) => wordingOf(one)?.asks.test(text));
}

/**
 * Whether a text names a time, such as a day or a year, in English or the language of the query.
 *
 * @param query folded
 */
export function tellsWhen(content: string, query: string, language: Language | undefined): boolean {
  if (TIME_WORDS.test(content)) return true;
  const languages = wordedIn(query, language);
  if (languages.length === 0) return false;
  const text = fold(content);
  return languages.some((one) => wordingOf(one)?.tells.test(text));
}

const wordings = new Map<string, Wording>();

function wordingOf(language: string): Wording | undefined {
  const known = wordings.get(language);
  const wording = timeWordings[language];
  if (known || !wording) return known;
  const { days, units, when } = wording;
  const weekday = OF_WEEKDAY[language] ?? 'W';
  const weekdays = weekday.replace('W', `(?:${calendarExpressions(language, 'weekday').join('|')})`);
  const names = [weekdays, ...calendarExpressions(language, 'month')].filter((name) => name !== '(?:)');
  const told = [...Object.keys(days), ...Object.values(units), ...names].join('|');
  const edge = edgeOf(language);
  const made = { asks: patternOf(when, edge), tells: patternOf(told, edge) };
  wordings.set(language, made);
  return made;
}

/** How a weekday (W) stands where its name alone is a numeral or a thing. */
const OF_WEEKDAY: Readonly<Record<string, string>> = {
  zh: '(?:[周週]|星期|[礼禮]拜)W',
  ja: 'W曜',
  ko: 'W요일',
};
