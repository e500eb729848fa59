import type { Language } from './language.ts';
import { SYNONYMS } from './synonym-groups.ts';
import { termOf } from './terms.ts';
import { fold, type Word } from './words.ts';

const NONE: ReadonlySet<string> = new Set();

/** Of each language, the words that stand for the word of a term. */
const byTerm = new Map<Language, ReadonlyMap<string, ReadonlySet<string>>>();

/** Other words that people use for the same as this one; none in a language without a list. */
export function synonymsOf(word: Word, language: Language): ReadonlySet<string> {
  if (word.kind !== 'word') return NONE;
  let known = byTerm.get(language);
  if (!known) {
    known = readGroups(SYNONYMS[language] ?? '', language);
    byTerm.set(language, known);
  }
  return known.get(termOf(word, language)) ?? NONE;
}

function readGroups(lists: string, language: Language): ReadonlyMap<string, ReadonlySet<string>> {
  const termIn = (text: string) => termOf({ text, kind: 'word' }, language);
  const found = new Map<string, Set<string>>();
  for (const list of lists.split(/[|\n]/)) {
    const group = list
      .split(/\s+/)
      .filter(Boolean)
      .map((word) => fold(word));
    for (const text of group) {
      const term = termIn(text);
      const others = found.get(term) ?? new Set();
      for (const other of group) if (termIn(other) !== term) others.add(other);
      found.set(term, others);
    }
  }
  return found;
}
