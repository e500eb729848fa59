import type { Language } from './language.ts';
import { SYNONYMS } from './synonym-groups.ts';
import { commonnessOf, termOf } from './terms.ts';
import { CJK, fold, type Word } from './words.ts';

/** A term under which another word for the same is looked up. */
interface Synonym {
  readonly term: string;
  /** Share of memories in general that are expected to hold the word. */
  readonly commonness: number;
}

/** Of each language, by the term of a word what stands for it: read once, as a query may hold hundreds of such words. */
const byTerm = new Map<Language | 'unspaced', ReadonlyMap<string, readonly Synonym[]>>();

/** Other words that people use for the same as this one; none in a language without a list. */
export function synonymsOf(word: Word, language: Language): readonly Synonym[] {
  if (word.kind !== 'word' && word.kind !== 'gram') return [];
  const list = word.kind === 'gram' ? 'unspaced' : language;
  let known = byTerm.get(list);
  if (!known) {
    // What stands in Latin letters among them is English.
    known = readGroups(SYNONYMS[list] ?? '', list === 'unspaced' ? 'en' : list);
    byTerm.set(list, known);
  }
  return known.get(termOf(word, language)) ?? [];
}

function readGroups(lists: string, language: Language): ReadonlyMap<string, readonly Synonym[]> {
  const found = new Map<string, Map<string, Synonym>>();
  for (const list of lists.split(/[|\n]/)) {
    const group = list
      .split(/\s+/)
      .filter(Boolean)
      .map((text) => readWord(wordOf(text), language));
    for (const { own } of group) {
      const others = found.get(own) ?? new Map<string, Synonym>();
      for (const other of group.filter((one) => one.own !== own)) {
        for (const synonym of other.synonyms) others.set(synonym.term, synonym);
      }
      found.set(own, others);
    }
  }
  return new Map([...found].map(([own, others]) => [own, [...others.values()]]));
}

/** Of a Chinese or Japanese word the last two characters, by which a longer one is told best. */
function wordOf(listed: string): Word {
  const [text, written] = [fold(listed), listed.toLowerCase()];
  return CJK.test(text) ? { text: text.slice(-2), kind: 'gram' } : { text, kind: 'word', written };
}

/** A word's own term, and those under which memories may hold it: one of a few words may be taken for an English one. */
function readWord(word: Word, language: Language) {
  const own = termOf(word, language);
  const commonness = commonnessOf(word, language);
  return { own, synonyms: [...new Set([own, termOf(word, 'en')])].map((term) => ({ term, commonness })) };
}
