// From the best place to the worst: between paragraphs, lines, sentences, words.
const PLACES = [/\n[ \t]*\n+/g, /\n/g, /[.!?…。！？]["'”’)\]]*\s+/g, /\s+/g];
// A piece shorter than this share of the limit is not worth a better place.
const LEAST_SHARE = 0.5;

/**
 * Splits a text into pieces of at most `limit` UTF-16 code units, at the end of a paragraph where that is possible,
 * else of a line, a sentence or a word. Put together, the pieces are the text.
 */
export function splitText(text: string, limit: number): string[] {
  return [...piecesOf(text, limit)];
}

/** The same, a piece at a time. */
export function* piecesOf(text: string, limit: number): Generator<string> {
  let start = 0;
  while (text.length - start > limit) {
    const end = start + placeToSplit(text.slice(start, start + limit));
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

function placeToSplit(window: string): number {
  for (const place of PLACES) {
    const ends = [...window.matchAll(place)].map((match) => match.index + match[0].length);
    const last = ends.at(-1);
    if (last !== undefined && last >= window.length * LEAST_SHARE) return last;
  }
  const lastUnit = window.charCodeAt(window.length - 1);
  return lastUnit >= 0xd800 && lastUnit <= 0xdbff ? window.length - 1 : window.length;
}
