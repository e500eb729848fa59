import { type Language, stem } from './language.ts';
import { isFunctionWord, isStopWord } from './stop-words.ts';
import { wordTable } from './word-table.ts';
import type { Word } from './words.ts';

/** Languages that write a compound as one word. */
const COMPOUNDING: ReadonlySet<Language> = new Set(['de', 'nl', 'sv', 'da', 'no']);
/** Shortest part of a compound, in letters. */
const SHORTEST_PART = 4;
/** Longest word that is split, which bounds the parts. */
const LONGEST = 30;
/** What joins the parts and belongs to neither, as the s in "Geburtstagsfeier". */
const LINK = /(?<=...)(?:es|en|er|[sne])$/;

/**
 * What the parts of a compound may be, split at any place: "Katzenfutter" gives "katzen", "katze" and "futter", and others
 * that are no words. Those match nothing, so that no dictionary is needed.
 *
 * @param language of the text around it, if known
 * @returns none in languages that write the parts as words of their own
 */
export function compoundPartsOf({ text, kind }: Word, language: Language | undefined): readonly string[] {
  if (kind !== 'word' || language === undefined || !COMPOUNDING.has(language)) return [];
  if (text.length > LONGEST) return [];
  const parts = new Set<string>();
  for (let at = SHORTEST_PART; at <= text.length - SHORTEST_PART; at += 1) {
    const first = text.slice(0, at);
    parts.add(first).add(first.replace(LINK, '')).add(text.slice(at));
  }
  return [...parts];
}

/** Words of a query that may also be written as one. */
export interface Joined {
  readonly text: string;
  /** The texts of the words. */
  readonly of: readonly string[];
}

/** Shortest and longest word that two are joined to. */
const SHORTEST_JOINED = 5;
const LONGEST_JOINED = 24;

/** What every two words beside each other make as one: "back up" and "backed up" are "backup", "cumple años" is "cumpleaños". */
export function compoundsOf(words: readonly Word[]): Joined[] {
  const spelled = words.filter(({ kind }) => kind !== 'gram' && kind !== 'verbatim');
  return spelled.flatMap(({ text, kind }, place) => {
    const next = spelled[place + 1];
    if (kind !== 'word' || next?.kind !== 'word') return [];
    return [...new Set([text, stem(text, 'en')])]
      .map((first) => ({ text: first + next.text, of: [text, next.text] }))
      .filter(({ text: { length } }) => length >= SHORTEST_JOINED && length <= LONGEST_JOINED);
  });
}

/** Words that make an initialism; two make one that is most often a word or another's. */
const INITIALISM = { least: 3, most: 5 };
/** Frequency rank of words up to which letters are taken for the word they spell. */
const USUAL_RANK = 10_000;

/**
 * The initials of words beside each other: "service level objective" is "slo", "proof of concept" is "poc". Function words may
 * stand between them.
 */
export function initialismsOf(words: readonly Word[]): Joined[] {
  const found: Joined[] = [];
  const usual = wordTable().rows;
  const spelled = words.filter(({ kind }) => kind !== 'verbatim');
  for (let start = 0; start < spelled.length; start += 1) {
    const of: string[] = [];
    for (const word of spelled.slice(start, start + INITIALISM.most)) {
      if (word.kind !== 'word' || (of.length === 0 && isStopWord(word, 'en'))) break;
      of.push(word.text);
      if (of.length < INITIALISM.least || isFunctionWord(word)) continue;
      const text = of.map(([initial = '']) => initial).join('');
      if ((usual.get(text) ?? USUAL_RANK) >= USUAL_RANK) found.push({ text, of: [...of] });
    }
  }
  return found;
}
