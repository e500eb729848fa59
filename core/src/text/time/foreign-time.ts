import { isStemmed, type Language, stem } from '../language.ts';
import { calendarExpressions, calendarNames } from './calendar-names.ts';
import {
  dayOf,
  days,
  monthOf,
  type NamedPeriod,
  recentDay,
  recentMonth,
  someAgo,
  type Unit,
  unitFrom,
} from './period.ts';
import { timeWordings, type Wording } from './time-wordings.ts';

/** An expression with the step that it stands for, in a unit; of "so many ago" the step is its number. */
interface Phrase {
  readonly pattern: RegExp;
  readonly unit: Unit;
  readonly step: number | undefined;
}

/** Read whatever the language of a query, as nothing else has their characters. */
const BY_SCRIPT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{sc=Hangul}/u, ['ko']],
  [/\p{sc=Han}/u, ['zh', 'ja']],
  [/\p{sc=Thai}/u, ['th']],
];
const UNSPACED = BY_SCRIPT.flatMap(([, languages]) => languages);

const phrases = new Map<string, readonly Phrase[]>();
const months = new Map<Language, ReadonlyMap<string, number>>();

/**
 * Finds the time that a text names in another language than English: a date with the name of its month, or a phrase such as
 * "letzte Woche".
 *
 * @param text folded
 */
export function readForeignTime(
  text: string,
  now: Date,
  language: Language | undefined,
): NamedPeriod | undefined {
  for (const one of wordedIn(text, language)) {
    const named = readNamedDate(text, now, one) ?? readWeekday(text, now, one) ?? readPhrase(text, now, one);
    if (named) return named;
  }
  return undefined;
}

/** The languages other than English that a text may name a time in. */
export function wordedIn(text: string, language: Language | undefined): readonly string[] {
  const known = language === undefined || language === 'en' ? [] : [language];
  return BY_SCRIPT.find(([script]) => script.test(text))?.[1] ?? known;
}

/** "3 de mayo de 2024", "im März": the month by its stem, as some languages inflect it. */
function readNamedDate(text: string, now: Date, language: string): NamedPeriod | undefined {
  if (!isStemmed(language)) return undefined;
  const words = [...text.matchAll(/\p{L}+|\d+/gu)];
  const at = words.findIndex(([word]) => monthStems(language).has(stem(word, language)));
  const named = words[at];
  const month = monthStems(language).get(stem(named?.[0] ?? '', language));
  if (month === undefined || !named) return undefined;
  const near = [at - 1, at - 2, at + 1, at + 2].map((place) => words[place]);
  const day = near.find((word) => /^\d{1,2}$/.test(word?.[0] ?? ''));
  const year = near.find((word) => /^(?:19|20)\d\d$/.test(word?.[0] ?? ''));
  const period = periodOf(day?.[0], month, year?.[0], now);
  if (!period) return undefined;
  const parts = [named, day, year].filter((part) => part !== undefined);
  const ends = parts.map((part) => part.index + part[0].length);
  return { period, start: Math.min(...parts.map(({ index }) => index)), end: Math.max(...ends) };
}

function periodOf(day: string | undefined, month: number, year: string | undefined, now: Date) {
  if (day === undefined) return year === undefined ? recentMonth(month, now) : monthOf(Number(year), month);
  return year === undefined ? recentDay(Number(day), month, now) : dayOf(Number(year), month, Number(day));
}

function monthStems(language: Language): ReadonlyMap<string, number> {
  const known = months.get(language);
  if (known) return known;
  const names = calendarNames(language, 'month');
  const found = new Map(names.map((name, month) => [stem(name, language), month]));
  months.set(language, found);
  return found;
}

/** "letzten Freitag", "el viernes pasado"; where weeks are counted, "先週の金曜" is the day of last week. */
function readWeekday(text: string, now: Date, language: string): NamedPeriod | undefined {
  const pattern = lastWeekdayOf(language);
  const match = pattern?.exec(text);
  const name = match?.slice(1).find((group) => group !== undefined);
  // In Indonesian a week has the name of its Sunday.
  if (!match || name === undefined || isUnit(name, language)) return undefined;
  const weekday = calendarExpressions(language, 'weekday').findIndex((one) =>
    new RegExp(`^(?:${one})$`, 'u').test(name),
  );
  const ofLastWeek = UNSPACED.includes(language) && LAST_WEEK.test(match[0]);
  const daysSinceMonday = (now.getUTCDay() + 6) % 7;
  const back = ofLastWeek
    ? daysSinceMonday + 7 - ((weekday + 6) % 7)
    : (now.getUTCDay() - weekday + 7) % 7 || 7;
  return { period: days(now, -back, 1 - back), start: match.index, end: match.index + match[0].length };
}

function isUnit(name: string, language: string): boolean {
  const units = Object.values(timeWordings[language]?.units ?? {});
  return new RegExp(`^(?:${units.join('|')})$`, 'u').test(name);
}

/** In scripts without spaces, that it is a day of last week. */
const LAST_WEEK = /先週|[周週]|星期|[礼禮]拜|주/;
/** How "last" stands with a weekday (W) where it does so otherwise than with a unit. */
const LAST_WEEKDAY: Readonly<Record<string, string>> = {
  zh: '上[个個]?(?:[周週]|星期|[礼禮]拜)(W)',
  ja: '(?:先週|この(?:前|間))の?(W)曜日?',
  ko: '(?:지난|저번) ?주? ?(W)요일',
};
const lastWeekdays = new Map<string, RegExp | undefined>();

function lastWeekdayOf(language: string): RegExp | undefined {
  if (lastWeekdays.has(language)) return lastWeekdays.get(language);
  const names = calendarExpressions(language, 'weekday').join('|');
  const last = LAST_WEEKDAY[language] ?? timeWordings[language]?.last.replaceAll('U', '(W)');
  const made =
    last === undefined || names === '' ? undefined : patternOf(last.replaceAll('W', names), edgeOf(language));
  lastWeekdays.set(language, made);
  return made;
}

/** What stands before a phrase of a language and, turned round, behind it. */
export function edgeOf(language: string): string {
  return UNSPACED.includes(language) ? '' : '(?<!\\p{L})';
}

/** @param edge what stands before a phrase and, turned round, behind it */
export function patternOf(phrase: string, edge: string): RegExp {
  return new RegExp(`${edge}(?:${phrase})${edge.replace('?<!', '?!')}`, 'u');
}

function readPhrase(text: string, now: Date, language: string): NamedPeriod | undefined {
  for (const { pattern, unit, step } of phrasesOf(language)) {
    const match = pattern.exec(text);
    if (!match) continue;
    const count = step === undefined ? countOf(match[1] ?? '', language) : 0;
    if (count === undefined) continue;
    const period = step === undefined ? someAgo(now, unit, count) : unitFrom(now, unit, step);
    return { period, start: match.index, end: match.index + match[0].length };
  }
  return undefined;
}

function phrasesOf(language: string): readonly Phrase[] {
  const known = phrases.get(language);
  if (known) return known;
  const wording = timeWordings[language];
  const made = wording ? [...phrasesIn(wording, edgeOf(language))] : [];
  phrases.set(language, made);
  return made;
}

function* phrasesIn({ days, units, last, current, ago, numbers }: Wording, edge: string): Generator<Phrase> {
  const number = `(\\d{1,3}|${numbers.replaceAll(' ', '|')})`;
  for (const [phrase, step] of Object.entries(days))
    yield { pattern: patternOf(phrase, edge), unit: 'day', step };
  for (const [unit, words] of Object.entries(units) as [Unit, string][]) {
    const named = (phrase: string) =>
      patternOf(phrase.replaceAll('U', `(?:${words})`).replaceAll('N', number), edge);
    yield { pattern: named(ago), unit, step: undefined };
    yield { pattern: named(last), unit, step: -1 };
    yield { pattern: named(current), unit, step: 0 };
  }
}

function countOf(word: string, language: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  const names = timeWordings[language]?.numbers.split(' ') ?? [];
  const place = names.findIndex((name) => new RegExp(`^${name}$`, 'u').test(word));
  return place < 0 ? undefined : place + 1;
}
