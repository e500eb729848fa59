import { firstCharacters } from './first-characters.ts';
import { withoutUnseen } from './unseen.ts';

/** What others use as a label may be longer than ours, or hold line breaks and unseen characters. */
export function asLabel(text: string, most: number): string {
  const label = withoutUnseen(text.toWellFormed().replace(/\p{Cc}+/gu, ' ')).trim();
  return firstCharacters(label, most).trim();
}
