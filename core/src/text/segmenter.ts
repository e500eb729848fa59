const made = new Map<string, Intl.Segmenter>();

/**
 * Returns what splits a text of a language (BCP 47, such as `ja`) into words, sentences or characters as readers see them.
 *
 * It is made when it is first needed: the first in a process reads tables of Unicode, about 10 ms that every start would wait for.
 */
export function segmenterOf(language: string, granularity: 'grapheme' | 'word' | 'sentence'): Intl.Segmenter {
  const key = `${language} ${granularity}`;
  const known = made.get(key);
  if (known) return known;
  const segmenter = new Intl.Segmenter(language, { granularity });
  made.set(key, segmenter);
  return segmenter;
}
