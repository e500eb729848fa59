import { isStemmed, type Language, stem } from './language.ts';
import {
  dayOf,
  monthOf,
  type NamedPeriod,
  recentDay,
  recentMonth,
  someAgo,
  type Unit,
  unitFrom,
} from './period.ts';
import { timeWordings, type Wording } from './time-wordings.ts';
import { fold } from './words.ts';

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
  const known = language === undefined || language === 'en' ? [] : [language];
  const languages = BY_SCRIPT.find(([script]) => script.test(text))?.[1] ?? known;
  for (const one of languages) {
    const named = readNamedDate(text, now, one) ?? readPhrase(text, now, one);
    if (named) return named;
  }
  return undefined;
}

/** "3 de mayo de 2024", "im März": the month by its stem, as some languages inflect it. */
function readNamedDate(text: string, now: Date, language: string): NamedPeriod | undefined {
  if (!isStemmed(language)) return undefined;
  const words = [...text.matchAll(/\p{L}+|\d+/gu)];
  const at = words.findIndex(([word]) => monthNames(language).has(stem(word, language)));
  const named = words[at];
  const month = monthNames(language).get(stem(named?.[0] ?? '', language));
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

function monthNames(language: Language): ReadonlyMap<string, number> {
  const known = months.get(language);
  if (known) return known;
  const format = new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' });
  const names = Array.from({ length: 12 }, (_, month): [string, number] => {
    const parts = format.formatToParts(Date.UTC(2024, month, 3));
    const name = parts.find(({ type }) => type === 'month')?.value ?? '';
    return [stem(fold(name), language), month];
  });
  const found = new Map(names);
  months.set(language, found);
  return found;
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
  const made = wording ? [...phrasesIn(wording, UNSPACED.includes(language) ? '' : '(?<!\\p{L})')] : [];
  phrases.set(language, made);
  return made;
}

/** @param edge what stands before a phrase and, turned round, behind it */
function* phrasesIn({ days, units, last, current, ago, numbers }: Wording, edge: string): Generator<Phrase> {
  const number = `(\\d{1,3}|${numbers.replaceAll(' ', '|')})`;
  const patternOf = (phrase: string) => new RegExp(`${edge}(?:${phrase})${edge.replace('?<!', '?!')}`, 'u');
  for (const [phrase, step] of Object.entries(days)) yield { pattern: patternOf(phrase), unit: 'day', step };
  for (const [unit, words] of Object.entries(units) as [Unit, string][]) {
    const named = (phrase: string) =>
      patternOf(phrase.replaceAll('U', `(?:${words})`).replaceAll('N', number));
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
