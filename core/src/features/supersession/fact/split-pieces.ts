import { keepRecent } from '../../../text/recent.ts';
import { segmenterOf } from '../../../text/segmenter.ts';
import { fold } from '../../../text/words.ts';
import { NUMBER_WORDS, units } from './units.ts';

/** A run of a text without spaces, or a mark that divides the text. */
export interface Piece {
  readonly text: string;
  /** Lower-cased and without accents, except where the case of a letter may carry meaning. */
  readonly key: string;
  readonly mark: boolean;
}

const OPENING = new Set('("\'¿¡[{*_`~<“‘«「（');
const CLOSING = new Set('.,;:!?)"\'…]}*_`~>”’»」。、，；：！？）');
const MARKS = new Set('.,;:!?…。、，；：！？=()（）');
/** Writing that puts no spaces between words. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u;
/** "五月", "6日", "10時": a part of a date, or an hour; but "日本", "3 years". */
const PART_OF_DATE =
  /((?:[〇一二三四五六七八九十]{1,3}|\d{1,4})(?:年(?![间間])|月(?![曜额額])|日(?![曜间間本])|[時时](?![间間])|点(?!心)))/u;
const UNSPACED_RUNS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々]+|[^\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー々]+/gu;
const ELIDED = /^(?:[ldjnsctm]|qu)['’](?=\p{L})/iu;
const ASSIGNMENT = /^([\w.()-]+)=([^=].*)$/;
/** Something that is written letter by letter: an address, a path, an identifier. */
const CODE = /[\\/@#_]|\p{L}\.\p{L}|\p{Ll}\p{Lu}|\p{L}\d|\d\p{L}{3}|::/u;

/** Splits a text into words and dividing marks. */
export function splitPieces(content: string): Piece[] {
  const pieces: Piece[] = [];
  for (const run of content.normalize('NFKC').replace(/[‘’]/g, "'").split(/\s+/)) {
    if (run !== '') addRun(pieces, run);
  }
  return pieces;
}

/** Whether machines compare it letter by letter. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

function addRun(pieces: Piece[], run: string): void {
  let start = 0;
  let end = run.length;
  while (start < end && OPENING.has(run.charAt(start))) start += 1;
  while (end > start && CLOSING.has(run.charAt(end - 1))) end -= 1;
  for (const mark of run.slice(0, start)) addMark(pieces, mark);
  addCore(pieces, run.slice(start, end));
  for (const mark of run.slice(end)) addMark(pieces, mark);
}

function addMark(pieces: Piece[], mark: string): void {
  if (MARKS.has(mark)) pieces.push({ text: mark, key: mark, mark: true });
}

function addCore(pieces: Piece[], core: string): void {
  if (core === '') return;
  if (core === '=' || /^[-–—]+$/.test(core)) {
    pieces.push({ text: core, key: core, mark: true });
    return;
  }
  const [, key, value] = ASSIGNMENT.exec(core) ?? [];
  if (key !== undefined && value !== undefined && !core.includes('://')) {
    addCore(pieces, key);
    addMark(pieces, '=');
    addCore(pieces, value);
    return;
  }
  if (UNSPACED.test(core)) addUnspaced(pieces, core);
  else addWord(pieces, core);
}

/** Writing without spaces: the dictionary of the runtime tells the words, a run of digits or Latin letters is one. */
function addUnspaced(pieces: Piece[], core: string): void {
  const words = segmenterOf('ja', 'word');
  for (const [place, part] of core.split(PART_OF_DATE).entries()) {
    // Split by a group, every second part is one.
    if (place % 2 === 1) {
      addWord(pieces, part);
      continue;
    }
    for (const [run] of part.matchAll(UNSPACED_RUNS)) {
      if (!UNSPACED.test(run)) addRun(pieces, run);
      else for (const { segment } of words.segment(run)) addWord(pieces, segment);
    }
  }
}

/** "three-week" */
const COUNTED = /^(\p{L}+|\d+)-(\p{L}+)$/u;

/** The words of a tenant's facts recur. */
const piecesOfWord = keepRecent<readonly Piece[]>(5_000, readWord);

function addWord(pieces: Piece[], text: string): void {
  for (const piece of piecesOfWord(text)) pieces.push(piece);
}

/** Korean writes a word and its particle together: "회의는", "부산으로", "Slack을". */
const PARTICLE =
  /^(\p{sc=Hangul}{2,}?|[\p{sc=Latin}\d.]+)(이었습니다|이었어요|였습니다|였어요|이에요|예요|입니다|이다|에서|에게|으로|[은는을를가에로])$/u;
const BEHIND_CONSONANT = new Set('은을');
const BEHIND_VOWEL = new Set('는를가로');
const FIRST_SYLLABLE = '가'.codePointAt(0) ?? 0;
const FINALS = 28;
/** The place of ㄹ among the final consonants. */
const LIQUID = 8;

/** The noun and its particle; undefined where the word only ends like one: which particle follows is told by the last sound. */
function splitParticle(text: string): [noun: string, particle: string] | undefined {
  const [, noun = '', particle = ''] = PARTICLE.exec(text) ?? [];
  if (noun === '' || noun === '우리') return undefined;
  const last = noun.codePointAt(noun.length - 1) ?? 0;
  if (last < FIRST_SYLLABLE) return [noun, particle];
  const final = (last - FIRST_SYLLABLE) % FINALS;
  if (BEHIND_CONSONANT.has(particle) && final === 0) return undefined;
  if (BEHIND_VOWEL.has(particle) && final !== 0 && !(particle === '로' && final === LIQUID)) return undefined;
  return [noun, particle];
}

function readWord(text: string): Piece[] {
  const parts = splitParticle(text);
  if (parts) return parts.flatMap(readWord);
  const [, count = '', unit = ''] = COUNTED.exec(text) ?? [];
  if (units.has(unit) && (NUMBER_WORDS.has(count) || /^\d/.test(count))) {
    return [...readWord(count), ...readWord(unit)];
  }
  const [elided = ''] = ELIDED.exec(text) ?? [];
  const rest = text.slice(elided.length);
  return [
    ...(elided === '' ? [] : [{ text: elided, key: fold(elided).replace('’', "'"), mark: false }]),
    ...(rest === '' ? [] : [{ text: rest, key: keyOf(rest), mark: false }]),
  ];
}

function keyOf(word: string): string {
  return isCode(word) ? word : fold(word);
}
