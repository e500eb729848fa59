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
