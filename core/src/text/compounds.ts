import type { Language } from './language.ts';
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
