import { fold } from '../../../text/words.ts';

/**
 * The words by which short facts say what they are about, in the languages agents are mostly written in. Kept
 * lower-cased and without accents; without claim to be complete: a word that is missing makes a pair coexist, not be replaced.
 */
export function words(list: string): ReadonlySet<string> {
  return new Set(
    fold(list)
      .split(/\s+/)
      .filter((word) => word !== '' && word !== BAR),
  );
}

/** The words of each language of a list that stands between bars. */
export function wordsByLanguage(list: string): ReadonlySet<string>[] {
  return list.split(BAR).map(words);
}

const BAR = '|';

/** Maps each word or phrase to its group; phrases are written with `_` for the space. */
export function groups<Name extends string>(
  lists: Readonly<Record<Name, string>>,
): ReadonlyMap<string, Name> {
  const found = new Map<string, Name>();
  for (const name of Object.keys(lists) as Name[]) {
    for (const word of words(lists[name])) found.set(word.replaceAll('_', ' '), name);
  }
  return found;
}

/** The same where a word may be of several groups. */
export function groupsOfMany(
  lists: Readonly<Record<string, string>>,
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [name, list] of Object.entries(lists)) {
    for (const word of words(list)) {
      const phrase = word.replaceAll('_', ' ');
      found.set(phrase, [...(found.get(phrase) ?? []), name]);
    }
  }
  return found;
}
