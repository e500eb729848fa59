import { termOf } from '../../../text/terms.ts';
import type { Token } from './fact.ts';
import { isCode, type Piece } from './split-pieces.ts';
import { dateWords, NUMBER_WORDS, ORDINALS, units } from './units.ts';
import { ATTRIBUTES, LIST_KEYS, SCOPES, SOFT_WORDS } from './words.ts';

const CLOCK = /^(?:\d{1,2}h\d{2}|\d{1,2}:\d{2}(?::\d{2})?(?:am|pm|h)?|\d{1,2}(?:am|pm|h|uhr))$/;
const ISO_DATE = /^\d{4}-\d{1,2}(?:-\d{1,2})?$|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$/;
const NUMBER = /^([$€£¥]?)v?([$€£¥]?)(\d[\d.,:]*)(\p{L}{0,5}|%|[€$£¥]|°[cf])(?:\/(\p{L}+))?$/u;
/** "9-17" */
const RANGE = /^\d{1,4}(?::\d\d)?[-–]\d{1,4}(?::\d\d)?$/;
/** "Leiterin", "Chefin": the same office, whoever holds it. */
const FEMININE = /(?<=\p{L}{2}(?:er|or|eur|ist|ant|ent|chef))in(?:nen)?$/u;
const HAN_NUMBER = /^([〇一二三四五六七八九十百千万两]{2,})(\p{L}?)$/u;
/** "五月", "6日", "10時" */
const HAN_PART = /^[〇一二三四五六七八九十\d]+([年月日時时点])$/u;
const HAN_DETAILS: ReadonlyMap<string, string> = new Map([
  ['年', 'year'],
  ['月', 'month'],
  ['日', 'day'],
  ['時', 'clock'],
  ['时', 'clock'],
  ['点', 'clock'],
]);

/** What a word says wherever it stands. */
type Value = Readonly<Pick<Token, 'key' | 'kind' | 'detail' | 'soft' | 'scope' | 'attribute'>> & {
  readonly list: boolean;
};

/** The pieces of words that recur are the same objects. */
const valuesOfPieces = new WeakMap<Piece, Value>();

/** What a word or number is compared by. */
export function readValue(piece: Piece): Value {
  const known = valuesOfPieces.get(piece);
  if (known) return known;
  const { text, key } = piece;
  const value = {
    ...parseValue(text, key),
    soft: SOFT_WORDS.has(key),
    scope: SCOPES.has(key),
    attribute: ATTRIBUTES.has(key),
    list: namesList(text),
  };
  valuesOfPieces.set(piece, value);
  return value;
}

/** Whether a word names a list: "task". */
export function namesList(text: string): boolean {
  const word = text.toLowerCase();
  return LIST_KEYS.has(word) || LIST_KEYS.has(word.replace(/s$/, ''));
}

type Parsed = Pick<Token, 'key' | 'kind' | 'detail'>;

function parseValue(text: string, key: string): Parsed {
  return parseTime(text, key) ?? parseNumber(text, key) ?? parseWord(text, key);
}

function parseTime(text: string, key: string): Parsed | undefined {
  const [, han = ''] = HAN_PART.exec(key) ?? [];
  const part = HAN_DETAILS.get(han);
  if (part !== undefined) return { key, kind: 'time', detail: part };
  const date = /^may$/.test(text) ? undefined : dateWords.get(key);
  if (date !== undefined) return { key: termOf({ text: key, kind: 'word' }), kind: 'time', detail: date };
  const lower = text.toLowerCase();
  if (CLOCK.test(lower)) return { key: lower, kind: 'time', detail: 'clock' };
  return ISO_DATE.test(lower) ? { key: lower, kind: 'time', detail: 'date' } : undefined;
}

function parseNumber(text: string, key: string): Parsed | undefined {
  const lower = text.toLowerCase();
  if (RANGE.test(lower)) return { key: lower, kind: 'number', detail: 'range' };
  const [, sign = '', other = '', digits, unit = '', per] = NUMBER.exec(lower) ?? [];
  const dimension = units.get(sign || other || unit) ?? '';
  if (digits !== undefined && (dimension !== '' || unit === '')) {
    const rate = per === undefined ? '' : ` per ${per}`;
    const value = `${digits.replace(/[.,:]+$/, '')} ${sign}${other}${unit}${rate}`.trim();
    return { key: value, kind: 'number', detail: `${dimension}${rate}` };
  }
  const named = NUMBER_WORDS.get(key);
  if (named !== undefined) return { key: String(named), kind: 'number', detail: '' };
  const [, counted, counter = ''] = HAN_NUMBER.exec(key) ?? [];
  if (counted !== undefined) return { key, kind: 'number', detail: units.get(counter) ?? '' };
  return ORDINALS.has(key) ? { key, kind: 'number', detail: 'place' } : undefined;
}

function parseWord(text: string, key: string): Parsed {
  if (isCode(text)) return { key: text, kind: 'word', detail: 'code' };
  const word = key.replace(/'s?$/, '').replace(FEMININE, '');
  // "https" is no plural.
  const isSpelled = !/[aeiouy]/.test(word);
  return { key: isSpelled ? word : termOf({ text: word, kind: 'word' }), kind: 'word', detail: '' };
}
