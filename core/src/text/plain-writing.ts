/** Where a word goes on in the next line, unseen where it does not. */
const SOFT_HYPHEN_AT_END = /\u00ad(?=\r?\n)/g;
/** Fills the place of a letter of Hangul, and is drawn as a blank. */
const BLANK_LETTER = /[\u115f\u1160\u3164\uffa0]/g;
/** Within a word of Persian or Urdu, between what others write together or apart. */
const WITHIN_ARABIC_WORD = /(?<=\p{sc=Arab}[\u064b-\u065f]*)\u200c+(?=\p{sc=Arab})/gu;
/** What no reader sees: soft hyphens, joiners, zero-width spaces, selectors, directions. */
const IGNORED = /\p{Default_Ignorable_Code_Point}+/gu;
/** "1 000 000" with blanks that do not break, which stand between the digits of one number only. */
const UNBROKEN_NUMBER = /(?<![\p{L}\p{N}])[1-9]\d{0,2}(?:[\u00a0\u2007\u2009\u202f]\d{3})+(?!\d)/gu;
/** Two hyphens beside that of ASCII. NFKC makes the first of the one that does not break. */
const HYPHEN = /\u2010/g;
/** The apostrophe as a letter, as Ukrainian and Uzbek write it, and quotation marks that pass for one. */
const APOSTROPHE = /[\u02bb\u02bc\u2018\u201b]/g;
/** Within a word of Ukrainian or Belarusian, where it parts no words. */
const WITHIN_CYRILLIC_WORD = /(?<=\p{sc=Cyrl})['\u2019](?=\p{sc=Cyrl})/gu;

/**
 * A text in one of the ways to write it: compatibility characters, hyphens, apostrophes and blanks within numbers as most write
 * them, and nothing of what no reader sees.
 */
export function inPlainWriting(text: string): string {
  const seen = text
    .replace(SOFT_HYPHEN_AT_END, '-')
    .replace(BLANK_LETTER, ' ')
    .replace(WITHIN_ARABIC_WORD, '_')
    .replace(IGNORED, '')
    .replace(UNBROKEN_NUMBER, (number) => number.replace(/\P{Nd}/gu, ''));
  return normalize(seen, 'NFKC')
    .replace(HYPHEN, '-')
    .replace(APOSTROPHE, "'")
    .replace(WITHIN_CYRILLIC_WORD, '');
}

/**
 * More combining marks in a row than any writing has, of which the first ones are kept: normalising takes quadratic time in their
 * number.
 *
 * @see https://www.unicode.org/reports/tr15/#Stream_Safe_Text_Format
 */
const ENDLESS_MARKS = /(\p{M}{30})\p{M}+/gu;

/** A text in a Unicode normalization form, in time linear in its length. */
export function normalize(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string {
  return text.replace(ENDLESS_MARKS, '$1').normalize(form);
}
