import { segmenterOf } from './segmenter.ts';
import { withoutUnseen } from './unseen.ts';

const WORD_LOOKBACK = 40;
const GRAPHEME_WINDOW = 64;

/**
 * The beginning of a text, at most `limit` UTF-16 code units: cut after a word where one ends near, otherwise
 * between two characters as readers see them.
 */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const start = wholeCharacters(text, Math.max(0, limit - GRAPHEME_WINDOW));
  let end = start;
  const graphemes = segmenterOf('en', 'grapheme');
  for (const { index } of graphemes.segment(text.slice(start, limit + GRAPHEME_WINDOW))) {
    if (start + index > limit) break;
    end = start + index;
  }
  // One cluster fills the whole window, as stacked marks do: any place is as good as another.
  if (end === start) end = wholeCharacters(text, limit);
  const word = text.slice(Math.max(0, end - WORD_LOOKBACK), end + 1).search(/\s\S*$/);
  const wordEnd = Math.max(0, end - WORD_LOOKBACK) + word;
  return text.slice(0, word >= 0 && wordEnd > limit / 2 ? wordEnd : end).trimEnd();
}

/** The last place at or before `index` that is not inside a surrogate pair. */
function wholeCharacters(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return index > 0 && unit >= 0xdc00 && unit <= 0xdfff ? index - 1 : index;
}

/** The first `most` characters of a text: code points, so that none is cut in half. */
export function firstCharacters(text: string, most: number): string {
  // No character has more than two code units.
  return text.length <= most
    ? text
    : Array.from(text.slice(0, 2 * most))
        .slice(0, most)
        .join('');
}

/** What others use as a label may be longer than ours, or hold line breaks and unseen characters. */
export function asLabel(text: string, most: number): string {
  const label = withoutUnseen(text.toWellFormed().replace(/\p{Cc}+/gu, ' ')).trim();
  return firstCharacters(label, most).trim();
}
