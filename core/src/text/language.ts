import { createRequire } from 'node:module';
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import { keepRecent } from './recent.ts';
import { wordTable } from './word-table.ts';
import { fold, type Word } from './words.ts';

/** Snowball stemmers by ISO 639-1 code of the language. */
const stemmers = {
  ar: arabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  id: indonesian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
  uk: ukrainian,
} as const;

/** A language that words can be stemmed in: its ISO 639-1 code. */
export type Language = keyof typeof stemmers;

const LANGUAGES = Object.keys(stemmers) as Language[];
/** Words of a text that are looked at: its language shows long before. */
const MOST_WORDS = 200;
/** Characters of a stem: some letters become two. */
const LONGEST = 64;

let stopWords: ReadonlyMap<string, readonly Language[]> | undefined;

/**
 * The language of a text by its stop words: of each language those that it uses count, a word of several languages a share
 * for each. Questions and sentences hold some; a few key words may not.
 *
 * @returns English too where the word table holds every word; undefined where nothing tells
 */
export function languageOf(words: readonly Word[]): Language | undefined {
  stopWords ??= loadStopWords();
  const english = wordTable().rows;
  const votes = new Map<Language, number>();
  const distinct = new Set(
    words.slice(0, MOST_WORDS).flatMap(({ text, kind }) => (kind === 'word' && text.length > 1 ? text : [])),
  );
  for (const text of distinct) {
    const languages = stopWords.get(text) ?? [];
    for (const language of languages) votes.set(language, (votes.get(language) ?? 0) + 1 / languages.length);
  }
  const ofEnglish = votes.get('en') ?? 0;
  let [best, most]: [Language | undefined, number] = [ofEnglish > 0 ? 'en' : undefined, ofEnglish];
  for (const [language, count] of votes) if (count > most) [best, most] = [language, count];
  if (best !== undefined && best !== 'en' && !isSure(best, distinct)) best = undefined;
  return best ?? (distinct.size > 0 && [...distinct].every((text) => english.has(text)) ? 'en' : undefined);
}

/** One stop word alone may be a name in an English text: "Ada drives a blue tractor." */
function isSure(language: Language, words: ReadonlySet<string>): boolean {
  const all = [...words];
  const telling = all.filter((text) => isUsedBy(language, text));
  return telling.length > 1 || all.some((text) => !telling.includes(text) && !wordTable().rows.has(text));
}

/** Whether words can be stemmed in the language of an ISO 639-1 code. */
export function isStemmed(code: string): code is Language {
  return Object.hasOwn(stemmers, code);
}

/** Whether the word is a stop word of the language, by which no memory is asked for. */
export function isStopWordOf(language: Language, text: string): boolean {
  return isUsedBy(language, text) && !TELLING_WORDS[language]?.has(text);
}

function isUsedBy(language: Language, text: string): boolean {
  stopWords ??= loadStopWords();
  return stopWords.get(text)?.includes(language) ?? false;
}

/** The stem of a folded word, never empty. */
export function stem(text: string, language: Language): string {
  return language === 'en' && text.length <= LONGEST ? englishStem(text) : stemmedBy(language, text);
}

function stemmedBy(language: Language, text: string): string {
  return stemmers[language](text).slice(0, LONGEST) || text;
}

/** Words recur, and in most memories they are English. */
const englishStem = keepRecent(5_000, (text) => stemmedBy('en', text));

/**
 * Words of stopwords-iso by which memories are asked for all the same: "¿Dónde trabaja Lucía?", "In quale città vive Luca?"
 * Folded. They still tell the language of a text.
 */
const TELLING_WORDS: Partial<Record<Language, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries({
    es: `trabaja trabajais trabajamos trabajan trabajar trabajas trabajo empleo emplean emplear empleas uso usa usan usar usas
      usais usamos habla hablan cuenta valor horas tiempo`,
    fr: 'parle parlent parler piece ouvert ouverte ouverts sujet',
    it: 'citta comprare consiglio gruppo titolo paese persone piedi registrazione',
    pt: `trabalho trabalhar viagem sistema grupo noite custa numero nivel ligado desligado apoio conselho horas tempo posicao
      pessoas`,
    de: 'mann mensch menschen ordnung offen',
  }).map(([language, words]) => [language, new Set(words.split(/\s+/))]),
);

/** Of each stop word, folded, the languages that use it. */
function loadStopWords(): Map<string, Language[]> {
  const lists = createRequire(import.meta.url)('stopwords-iso') as Readonly<
    Record<string, readonly string[]>
  >;
  const found = new Map<string, Language[]>();
  for (const language of LANGUAGES) {
    for (const word of new Set((lists[language] ?? []).map(fold))) {
      const languages = found.get(word);
      if (languages) languages.push(language);
      else found.set(word, [language]);
    }
  }
  return found;
}
