const scripts = (names: readonly string[]) => names.map((name) => `\\p{scx=${name}}`).join('');

// Scripts in which a joiner changes how two letters are written.
const JOINING_LETTER = `(?=[\\p{L}\\p{M}])[${scripts([
  'Adlam',
  'Arabic',
  'Balinese',
  'Bengali',
  'Chakma',
  'Devanagari',
  'Grantha',
  'Gujarati',
  'Gurmukhi',
  'Hanifi_Rohingya',
  'Javanese',
  'Kaithi',
  'Kannada',
  'Khmer',
  'Malayalam',
  'Mandaic',
  'Meetei_Mayek',
  'Mongolian',
  'Myanmar',
  'Newa',
  'Nko',
  'Oriya',
  'Phags_Pa',
  'Sharada',
  'Sinhala',
  'Sundanese',
  'Syriac',
  'Tai_Tham',
  'Tamil',
  'Telugu',
  'Tibetan',
  'Tirhuta',
])}]`;
const PICTURE = '\\p{Extended_Pictographic}';
const SKIN_TONE = '\\u{1F3FB}-\\u{1F3FF}';
// The tags that stand for eng, sct and wls: the only flags written this way.
const NATION =
  '\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}';

// Characters that emoji and some scripts cannot be written without, only where these need them. Each begins with the
// character itself, so that the look behind it is rarely taken.
const NEEDED = [
  `\\u200D(?<=[${PICTURE}\\uFE0F${SKIN_TONE}]\\u200D)(?=${PICTURE})`,
  `[\\uFE0E\\uFE0F](?<=${PICTURE}.)`,
  '\\uFE0F(?<=[#*0-9].)(?=\\u20E3)',
  `${NATION}(?<=\\u{1F3F4}.{6})`,
  `[\\u200C\\u200D](?<=${JOINING_LETTER}.)(?=${JOINING_LETTER})`,
  `[\\u180B-\\u180F](?<=\\p{sc=Mongolian}.)`,
  '[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}](?<=\\p{Unified_Ideograph}.)',
].join('|');

// In this order: controls; what Unicode says is not displayed (zero-width, bidi, tags, fillers, selectors); line and
// paragraph separators; annotation marks and the object mark; signs drawn as nothing: the blank Braille cell, the null
// notehead, fillers and blanks of Khitan, Brahmi and hieroglyphs and their layout controls; noncharacters; unpaired
// surrogates.
const HIDDEN = [
  '\\p{Cc}',
  '\\p{Default_Ignorable_Code_Point}',
  '\\u2028\\u2029',
  '\\uFFF9-\\uFFFC',
  '\\u2800\\u{1D159}\\u{16FE4}\\u{1107F}\\u{13430}-\\u{13442}',
  '\\p{Noncharacter_Code_Point}',
  '\\p{Cs}',
].join('');
// Tab and line ends are layout that every reader shows.
const UNSEEN = `(?!\\t|\\r?\\n)[${HIDDEN}]`;

// Most texts hold none: a plain class finds that out many times faster than the rules of who needs what.
const SUSPECT = new RegExp(`(?![\\t\\n])[${HIDDEN}]`, 'u');
let runs: RegExp | undefined;
/**
 * Matches a run of unseen characters, or one that is needed. Compiled when a text first needs it: that takes 5 ms, and few starts
 * do.
 */
const runsPattern = () => (runs ??= new RegExp(`(?:${NEEDED})|(?<unseen>(?:${UNSEEN})+)`, 'gsu'));

/** A stretch of a text: what can be read, or the code of a character that would not be seen, such as `U+200B`. */
export type Stretch = string | { readonly code: string };

/**
 * Whether a text holds characters that a reader does not see and that nothing needs: invisible, reordering, control and
 * blank characters. Joiners and selectors within emoji and the scripts that need them do not count.
 */
export function hasUnseen(text: string): boolean {
  return firstUnseen(text) !== undefined;
}

/** The code of the first unseen character, such as `U+200B`. */
export function firstUnseen(text: string): string | undefined {
  for (const { unseen } of unseenRuns(text)) return codeOf(unseen);
  return undefined;
}

/** The text as it looks: without its unseen characters. */
export function withoutUnseen(text: string): string {
  return replaceUnseen(text, () => '');
}

/** Replaces each run of unseen characters by what `replace` makes of it. */
export function replaceUnseen(text: string, replace: (run: string) => string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(runsPattern(), (match: string, unseen: string | undefined) =>
    unseen === undefined ? match : replace(unseen),
  );
}

/** Writes unseen characters as JSON escapes: within JSON the text means the same as before. */
export function escapeUnseen(text: string): string {
  return replaceUnseen(text, (run) =>
    Array.from({ length: run.length }, (_, at) => escapeUnit(run.charCodeAt(at))).join(''),
  );
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}

/** Cuts a text at its unseen characters, so that each can be shown as what it is. */
export function splitUnseen(text: string): Stretch[] {
  const stretches: Stretch[] = [];
  let end = 0;
  for (const { start, unseen } of unseenRuns(text)) {
    if (start > end) stretches.push(text.slice(end, start));
    for (const character of unseen) stretches.push({ code: codeOf(character) });
    end = start + unseen.length;
  }
  if (end < text.length) stretches.push(text.slice(end));
  return stretches;
}

/** The runs of unseen characters, and where they start. */
export function* unseenRuns(text: string): Generator<{ readonly start: number; readonly unseen: string }> {
  if (!SUSPECT.test(text)) return;
  for (const { index, groups } of text.matchAll(runsPattern())) {
    if (groups?.unseen !== undefined) yield { start: index, unseen: groups.unseen };
  }
}

function codeOf(text: string): string {
  return `U+${(text.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
