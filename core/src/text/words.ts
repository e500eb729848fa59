/** A piece of text that can be matched. */
export interface Word {
  /** Lower-cased, without diacritics, 1 to 64 characters. */
  readonly text: string;
  /**
   * `word`: letters of a script that separates words; `number`: digits; `verbatim`: an identifier without its hyphens and
   * underscores, or an e-mail, host or path as written, the parts following as words of their own; `gram`: one or two characters of a
   * script that does not separate words.
   */
  readonly kind: 'word' | 'number' | 'verbatim' | 'gram';
}

const LONGEST_TERM = 64;

const RUN = /[\p{L}\p{N}\p{M}_]+/gu;
/** Scripts written without spaces, or (Hangul) with endings glued to words. */
const UNSPACED =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]/u;
const UNSPACED_RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{M}ー々]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー々]+/gu;
const HAN = /\p{sc=Han}/u;
/** Scripts of Chinese, Japanese and Korean, in which two characters mostly say a word. Thai takes about five. */
export const CJK = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}ー々]/u;
/** Characters that, alone between two runs, join them into one identifier, address or path. */
const JOINERS = new Set(['.', '/', '@', ':', '#', '+', '-', '_', '&']);
const APOSTROPHES = new Set(["'", '’']);
/** What is left of "it's", "don't", "we'll" … behind the apostrophe: never a word. */
const CONTRACTION_ENDINGS = new Set(['s', 't', 'm', 're', 've', 'll', 'd']);
/** Accents of Latin, Greek and Cyrillic; the marks of other scripts are letters in their own right. */
const ACCENTS = /[\u0300-\u036f]/g;
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
/** The comma of "1,000". */
const THOUSANDS = /(?<=\d),(?=\d{3}(?!\d))/g;
const NON_ASCII = /\P{ASCII}/u;
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
  const flush = () => {
    if (compound.length > 1) addVerbatim(words, glue);
    compound = [];
  };
  const readable = (NON_ASCII.test(text) ? text.normalize('NFKC') : text).replace(THOUSANDS, '');
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
    addRun(words, run);
  }
  flush();
  return words;
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
  const plain = lower.normalize('NFKD').replace(ACCENTS, '').normalize('NFC');
  return plain.replace(UNDIVIDED, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
}

function addVerbatim(words: Word[], glue: string): void {
  // "well-known" and "and/or" are only their words; "e-mail", "v1.2", "foo.bar" and "x@y.org" are names.
  const plain = /^\p{L}{3,}([-/&]\p{L}{3,})+$/u.test(glue);
  if (!plain) push(words, fold(HYPHENATED.test(glue) ? catenate(glue) : glue), 'verbatim');
}

/** One form for an identifier however its parts are joined: "RX-90" and "rx90", "feature_flags" and "featureFlags". */
function catenate(identifier: string): string {
  return identifier.replace(/[_-]/g, '');
}

function addRun(words: Word[], run: string): void {
  if (UNSPACED.test(run)) {
    for (const [part] of run.matchAll(UNSPACED_RUNS)) {
      if (UNSPACED.test(part)) addGrams(words, part);
      else addSpaced(words, part);
    }
  } else addSpaced(words, run);
}

function addSpaced(words: Word[], run: string): void {
  if (/^\p{N}+$/u.test(run)) {
    push(words, run, 'number');
    return;
  }
  const parts = /[\p{Lu}\p{N}_]/u.test(run.slice(1)) ? (run.match(CAMEL_PARTS) ?? []) : [];
  if (parts.length < 2) {
    push(words, fold(catenate(run)), 'word');
    return;
  }
  push(words, fold(catenate(run)), 'verbatim');
  const isCode = parts.some((part) => LETTER.test(part));
  for (const part of parts) {
    if (!isCode || part.length > 1) push(words, fold(part), /\p{N}/u.test(part) ? 'number' : 'word');
  }
}

function addGrams(words: Word[], run: string): void {
  const characters = Array.from(fold(run));
  characters.forEach((character, i) => {
    const next = characters[i + 1];
    if (next !== undefined) push(words, character + next, 'gram');
    // A single Han character is often a word; of the phonetic scripts only a lone one is kept.
    if (HAN.test(character) || characters.length === 1) push(words, character, 'gram');
  });
}

function push(words: Word[], text: string, kind: Word['kind']): void {
  const short =
    text.length > LONGEST_TERM ? text.slice(0, LONGEST_TERM).replace(/[\ud800-\udbff]$/, '') : text;
  if (short !== '') words.push({ text: short, kind });
}
