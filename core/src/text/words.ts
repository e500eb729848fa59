import { withOneNumeral, withoutLeadingZeros } from './numerals.ts';
import { inPlainWriting, normalize } from './plain-writing.ts';
import { segmenterOf } from './segmenter.ts';
import { isWrittenName } from './written-name.ts';

/** A piece of text that can be matched. */
export interface Word {
  /** Lower-cased, without diacritics but in Vietnamese, 1 to 64 characters. */
  readonly text: string;
  /** Lower-cased with its diacritics, where `text` lacks some: by these many languages tell an ending from the stem. */
  readonly written?: string;
  /**
   * `word`: letters of a script that separates words, or a word of Thai, Lao, Khmer or Burmese; `number`: digits; `verbatim`: an
   * identifier without its hyphens and underscores, or an e-mail, host or path as written, the parts following as words of their
   * own; `gram`: one or two characters of another script that does not separate words.
   */
  readonly kind: 'word' | 'number' | 'verbatim' | 'gram';
  /** Of two characters, whether the second belongs to the ending of a Korean word. */
  readonly endsWord?: boolean;
  /** Whether it is a name by its capital letters, though else a word that every text has: "Will", "US". */
  readonly isName?: boolean;
}

const LONGEST_TERM = 64;

const RUN = /[\p{L}\p{N}\p{M}_]+/gu;
/** Scripts written without spaces of which a dictionary tells the words. */
const SEGMENTED = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** The vowel am of Thai and Lao, which NFKC takes apart into two, with a tone between them; no dictionary has words so written. */
const PARTED_AM = /\u0e4d([\u0e48-\u0e4b]?)\u0e32|\u0ecd([\u0ec8-\u0ecb]?)\u0eb2/g;
const CJK_RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{M}ー々]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]+/gu;
const HAN = /\p{sc=Han}/u;
/**
 * Scripts of Chinese, Japanese and Korean, in which two characters mostly say a word: written without spaces, or (Hangul) with
 * endings glued to words. Each two characters are looked up.
 */
export const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]/u;
/** What Korean hangs on a word: particles, and the endings of verbs that say that something is, was or is asked. */
const KOREAN_ENDING = new RegExp(
  `(?<=\\p{sc=Hangul})(?:${[
    '(?:들)?(?:은|는|이|가|을|를|의|도|만|에|와|과|로|으로|께서?|에게서?|한테서?|에서|까지|부터|마다|처럼|보다|하고|이?랑|이?나)(?:는|도|만|의)?',
    '들|[이였었았했]?(?:습니다|입니다|다|어|지|니|나요|어요|아요|에요|예요|까요?|는지|던가)|이?야|해요?|합니다|한다|하[는지고여니다]|해야|이다',
  ].join('|')})$`,
  'u',
);
/** Longest such ending, with the character before it. */
const LONGEST_ENDING = 8;
/** Characters that, alone between two runs, join them into one identifier, address or path. */
const JOINERS = new Set(['.', '/', '@', ':', '#', '+', '-', '_', '&']);
/** Between the two parts of a word that goes on in the next line. */
const LINE_HYPHEN = /^-[ \t]*\r?\n[ \t]*$/;
const ONLY_LETTERS = /^\p{L}[\p{L}\p{M}]*$/u;
const GOES_ON = /^\p{Ll}[\p{L}\p{M}]*$/u;
const APOSTROPHES = new Set(["'", '’']);
/** What is left of "it's", "don't", "we'll" … behind the apostrophe: never a word. */
const CONTRACTION_ENDINGS = new Set(['s', 't', 'm', 're', 've', 'll', 'd']);
/**
 * Accents of Latin, Greek and Cyrillic; vowels of Hebrew and Arabic, which few write, with the hamza on an alef and what only
 * stretches a word; the dot of Hindi loans. The other marks of scripts are letters in their own right.
 */
const ACCENTS = /[\u0300-\u036f\u0591-\u05c7\u0640\u064b-\u065f\u0670\u093c]/g;
/** Latin letters that Unicode does not take apart into one and its accent, as Lucene's ASCIIFoldingFilter writes them. */
const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
  ['ŧ', 't'],
]);
const UNDIVIDED = new RegExp(`[${[...PLAIN_LETTERS.keys()].join('')}]`, 'g');
/** Most texts are of ASCII, of which most rules about letters need not be tried. */
export const NON_ASCII = /\P{ASCII}/u;
/** What French and Portuguese hang on a verb: "a-t-il", "dois-je", "chama-se". Such a word is no identifier. */
const VERB_WITH_PRONOUN =
  /^\p{L}+-(?:t-)?(?:je|tu|ils?|elles?|nous|vous|ce|moi|toi|lui|leur|se|te|lhes?|nos|vos|l[oa]s?)$|^\p{L}+-t-on$|^est-ce-que?$/iu;
/** "RX-90", "e-mail", "ERR_CONN-42": letters, with or without digits, joined by hyphens and underscores alone. */
const HYPHENATED = /^(?=.*\p{L})[\p{L}\p{M}\p{N}_-]+$/u;
/** A letter alone, as of "E4017" and "a1b2c3d": many codes have it, as they have single digits, so that only the whole tells. */
const LETTER = /^\p{sc=Latn}$/u;
const CAMEL_PARTS = /\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|\p{N}+/gu;

/**
 * Splits a text into what can be matched, in order. Time is linear in the text's length, whatever is in it.
 * @param text any string, lone surrogates and control characters included
 */
export function splitWords(text: string): Word[] {
  const words: Word[] = [];
  let compound: string[] = [];
  let compoundEnd = -1;
  let glue = '';
  let before = '';
  const flush = () => {
    if (compound.length > 1) addVerbatim(words, glue);
    compound = [];
  };
  const readable = withOneNumeral(NON_ASCII.test(text) ? inPlainWriting(text) : text);
  for (const match of readable.matchAll(RUN)) {
    const run = match[0];
    const between = readable.slice(compoundEnd, match.index);
    const joined = compoundEnd >= 0 && match.index - compoundEnd === 1;
    compoundEnd = match.index + run.length;
    if (joined && APOSTROPHES.has(between) && CONTRACTION_ENDINGS.has(run.toLowerCase())) continue;
    if (joined && JOINERS.has(between) && glue.length + run.length < LONGEST_TERM) {
      compound.push(run);
      glue += between + run;
    } else {
      flush();
      compound = [run];
      glue = run;
    }
    if (isWrittenName(readable, match.index, run))
      words.push({ text: fold(run), kind: 'word', isName: true });
    else addRun(words, run);
    // What is hyphenated at the end of a line may be one word or two.
    if (LINE_HYPHEN.test(between) && ONLY_LETTERS.test(before) && GOES_ON.test(run))
      pushWord(words, before + run);
    before = run;
  }
  flush();
  return isVietnamese(readable) ? words.map(withMarks) : words;
}

/** Vowels with marks that only Vietnamese writes, and words of it that have other marks. */
const VIETNAMESE =
  /[ơưạảấầẩẫậắằẳẵặẻẽếềểễệỉỏốồổỗộớờởỡợủứừửữựỳỵỷỹ]|(?<!\p{L})(?:gì|và|đã|các|cái|tôi|không|năm|thì)(?!\p{L})/iu;
const MARKED = /[\u00c0-\u024f\u1e00-\u1eff]/u;
/** Least share of the words of a Vietnamese text that have marks. In other texts stand Vietnamese names. */
const MARKED_SHARE = 0.4;
/** Characters that are looked at: the language shows long before. */
const ENOUGH = 1_000;

/** Whether a word stands beside others without a space. */
export function isUnspaced({ kind, text }: Word): boolean {
  return kind === 'gram' || SEGMENTED.test(text);
}

/** Whether a text is Vietnamese, by how many of its words have marks. */
export function isVietnamese(text: string): boolean {
  const start = text.slice(0, ENOUGH);
  if (!VIETNAMESE.test(start)) return false;
  const words = start.match(/[\p{L}\p{M}]+/gu) ?? [];
  return words.filter((word) => MARKED.test(word)).length >= words.length * MARKED_SHARE;
}

/** With its marks: a syllable of Vietnamese with another tone is another word, and without any is mostly an English one. */
function withMarks({ text, written = text, ...word }: Word): Word {
  return { ...word, text: written };
}

/** In scripts without spaces every two characters are a piece of text; a word has about four of them. */
const PAIR_LENGTH = 1 / 4;

/** Length of a text in words; of scripts without spaces, as if it were said in one with spaces. */
export function lengthInWords(words: readonly Word[]): number {
  let length = 0;
  for (const { kind, text } of words) length += kind !== 'gram' ? 1 : text.length > 1 ? PAIR_LENGTH : 0;
  return length;
}

/**
 * Lower-cases and takes accents away, so that "Café" and "cafe" are one, as are "Łódź" and "Lodz". It leaves the "ı" of Turkish
 * alone, by which words of that are stemmed.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  if (!NON_ASCII.test(lower)) return lower;
  const plain = normalize(lower, 'NFKD').replace(ACCENTS, '').normalize('NFC');
  return plain.replace(UNDIVIDED, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

function addVerbatim(words: Word[], glue: string): void {
  // "well-known" and "and/or" are only their words; "e-mail", "v1.2", "foo.bar" and "x@y.org" are names.
  const plain = /^\p{L}{3,}([-/&]\p{L}{3,})+$/u.test(glue) || VERB_WITH_PRONOUN.test(glue);
  if (!plain) push(words, fold(HYPHENATED.test(glue) ? catenate(glue) : glue), 'verbatim');
}

/** One form for an identifier however its parts are joined: "RX-90" and "rx90", "feature_flags" and "featureFlags". */
function catenate(identifier: string): string {
  return identifier.replace(/[_-]/g, '');
}

function withWholeAm(run: string): string {
  return run.replace(PARTED_AM, (_, thai?: string, lao = '') =>
    thai === undefined ? `${lao}\u0eb3` : `${thai}\u0e33`,
  );
}

function addRun(words: Word[], run: string): void {
  if (SEGMENTED.test(run)) {
    for (const { segment } of segmenterOf('th', 'word').segment(withWholeAm(run))) addSpaced(words, segment);
  } else if (CJK.test(run)) {
    for (const [part] of run.matchAll(CJK_RUNS)) {
      if (CJK.test(part)) addGrams(words, part);
      else addSpaced(words, part);
    }
  } else addSpaced(words, run);
}

function addSpaced(words: Word[], run: string): void {
  if (/^\p{N}+$/u.test(run)) {
    push(words, withoutLeadingZeros(run), 'number');
    return;
  }
  const parts = /[\p{Lu}\p{N}_]/u.test(run.slice(1)) ? (run.match(CAMEL_PARTS) ?? []) : [];
  if (parts.length < 2) {
    pushWord(words, catenate(run));
    return;
  }
  push(words, fold(catenate(run)), 'verbatim');
  const isCode = parts.some((part) => LETTER.test(part));
  for (const part of parts) {
    if (isCode && part.length === 1) continue;
    if (/\p{N}/u.test(part)) push(words, withoutLeadingZeros(fold(part)), 'number');
    else pushWord(words, part);
  }
}

function addGrams(words: Word[], run: string): void {
  const characters = Array.from(fold(run));
  const stem = characters.length - (KOREAN_ENDING.exec(run.slice(-LONGEST_ENDING))?.[0].length ?? 0);
  characters.forEach((character, i) => {
    const next = characters[i + 1];
    // What begins with a word of one character may be one without an ending, as that for a dentist.
    const endsWord = i + 1 >= Math.max(stem, 2);
    if (next !== undefined && !endsWord) push(words, character + next, 'gram');
    else if (next !== undefined) words.push({ text: character + next, kind: 'gram', endsWord });
    // A single Han character is often a word; of the phonetic scripts only what stands alone, but for an ending, is kept.
    if (HAN.test(character) || (i === 0 && stem === 1)) push(words, character, 'gram');
  });
}

function pushWord(words: Word[], run: string): void {
  push(words, fold(run), 'word', run.toLowerCase());
}

function push(words: Word[], text: string, kind: Word['kind'], written = text): void {
  const short = shortened(text);
  if (short === '') return;
  words.push(written === text ? { text: short, kind } : { text: short, kind, written: shortened(written) });
}

function shortened(text: string): string {
  return text.length > LONGEST_TERM ? text.slice(0, LONGEST_TERM).replace(/[\ud800-\udbff]$/, '') : text;
}
