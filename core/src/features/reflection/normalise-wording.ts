/** Words that change nothing about what a sentence says. */
const EMPTY = new Set('a an the that just also really very please so'.split(' '));
/** Characters; shorter texts are often said again and meant anew. */
const LEAST = 12;

/** The words of a text in order, apart from letter case, quotation marks, and punctuation between words. */
function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(/["“”«»]/g, '')
    .replace(/[.,;!]+(?=\s|$)/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

/**
 * What a text says, order and signs and all; two texts with the same say the same. Undefined where a text is too short
 * to tell.
 */
export function sayingOf(text: string): string | undefined {
  const said = wordsOf(text)
    .filter((word) => !EMPTY.has(word))
    .join(' ');
  return said.length < LEAST ? undefined : said;
}
