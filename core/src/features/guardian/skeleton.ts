import { createHash } from 'node:crypto';
import { normalize } from '../../text/plain-writing.ts';

/** Letters that look like one of the Latin script, in capitals, and that one. */
const LOOKALIKES = new Map(
  [
    // Cyrillic.
    'АA ВB ЕE КK МM НH ОO РP СC ТT УY ХX ІI ЈJ ЅS ԚQ ԜW ѴV ҮY ӀI ԌG ԀD ҺH',
    // Greek.
    'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ',
    // Armenian, and Latin letters of phonetics and small capitals.
    'ՕO ՍU ꞬG ᴀA ƁB ʙB ᴄC ᴅD ᴇE ꜰF ɢG ʜH ɪI ꞮI ᴊJ ᴋK ʟI ᴍM ɴN ᴏO ᴘP ʀR ƦR ꜱS ᴛT ᴜU ᴠV ᴡW ʏY ᴢZ',
    // In many typefaces one cannot be told from the other.
    '0O 1I LI',
  ]
    .flatMap((pairs) => pairs.split(' '))
    .map((pair) => [pair[0] ?? '', pair[1] ?? '']),
);

/** Accents, and signs around letters; not the marks that other scripts write vowels with. */
const ACCENTS = /[\u0300-\u036F\u20D0-\u20F0]/gu;
/** What is no part of a word, with the letters that stand for apostrophes and accents. */
const BETWEEN = /[^\p{L}\p{M}\p{N}]|[\u02B9-\u02FF\u07F4\u07F5\uA78B\uA78C]/gu;
const UNSEEN = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The skeleton of a text, as of Unicode Technical Standard 39: what it says to who reads it, whatever its case, spaces,
 * punctuation, accents, unseen characters and letters of another script that look the same; of one without letters, all of it.
 * Nothing to show: two texts are compared by it.
 */
export function skeletonOf(content: string): string {
  const shown = normalize(content, 'NFKC').replace(UNSEEN, '');
  // By way of lower case: some letters have no capital but in two.
  const capitals = shown.toLowerCase().toUpperCase().normalize('NFKD').replace(ACCENTS, '');
  return (
    capitals.replace(BETWEEN, '').replace(/./gu, (letter) => LOOKALIKES.get(letter) ?? letter) || shown.trim()
  );
}

/** Stands for the skeleton of a text where the text itself is not kept; of each tenant another. */
export function digestOf(tenantId: string, skeleton: string): string {
  return createHash('sha256').update(`${tenantId} ${skeleton}`).digest('hex');
}

/** Letters are counted in so many groups, which those of all scripts share. */
const GROUPS = 64;

/** How often a text has letters of each group, whatever their order. */
export function letterCounts(skeleton: string): Uint16Array {
  const counts = new Uint16Array(GROUPS);
  for (let at = 0; at < skeleton.length; at += 1) {
    const group = skeleton.charCodeAt(at) % GROUPS;
    counts[group] = (counts[group] ?? 0) + 1;
  }
  return counts;
}

/** How many letters one text has more or fewer of than another. */
export function lettersApart(one: Uint16Array, other: Uint16Array): number {
  let apart = 0;
  for (const [group, count] of one.entries()) apart += Math.abs(count - (other[group] ?? 0));
  return apart;
}
