import { splitText } from './split-text.ts';

/** A stretch of a text in UTF-16 code units: `start` inclusive, `end` exclusive. */
interface Passage {
  readonly start: number;
  readonly end: number;
}

/** Longest passage in characters: a few sentences. */
const LONGEST = 400;
/** The same in scripts without spaces, which say as much in fewer characters. */
const LONGEST_UNSPACED = 150;
/** A text of up to this many passages is one: it is short enough to be read whole. */
const FEW = 2;
/** Most passages, so that a number of one fits into a byte. */
const MOST = 255;

const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu;
/** Characters at the start of a text that tell its script. */
const READ_FOR_SCRIPT = 1000;

/**
 * Splits a text into passages that recall searches one by one: at the end of a paragraph where that is possible, else of a
 * line, a sentence or a word. A short text is one passage.
 *
 * @returns at least one and at most 255; put together, they are the text
 */
export function passagesOf(text: string): readonly Passage[] {
  const longest = text.length <= FEW * LONGEST_UNSPACED ? LONGEST_UNSPACED : longestIn(text);
  if (text.length <= FEW * longest) return [{ start: 0, end: text.length }];
  let start = 0;
  // Pieces have at least half the length they may have.
  return splitText(text, Math.max(longest, Math.ceil((2 * text.length) / MOST))).map(({ length }) => {
    const passage = { start, end: start + length };
    start += length;
    return passage;
  });
}

function longestIn(text: string): number {
  const read = text.slice(0, READ_FOR_SCRIPT);
  const unspaced = read.match(UNSPACED)?.length ?? 0;
  return unspaced > read.length / 4 ? LONGEST_UNSPACED : LONGEST;
}
