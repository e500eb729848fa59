import { functionWords } from './stop-words.ts';
import { splitWords } from './words.ts';

/** Words looked at per text: what some thousand say, more of them no longer change. */
const MOST_WORDS = 4096;

/** The words of a text by which it tells something: without function words, unless it has no others. */
export function tellingWords(text: string): readonly string[] {
  const words = splitWords(text)
    .filter((word) => word.kind !== 'verbatim')
    .slice(0, MOST_WORDS)
    .map((word) => word.text);
  const telling = words.filter((word) => !functionWords.has(word));
  return telling.length > 0 ? telling : words;
}
