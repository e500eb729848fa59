import { normalize } from '../../../text/plain-writing.ts';
import { withoutEmphasis } from './emphasis.ts';
import { IdentifierScope, namesIdentifier, withoutNameless } from './identifier-scope.ts';
import type { MeaningUnit } from './meaning-unit.ts';
import { inOneWriting } from './one-writing.ts';
import { ABBREVIATIONS } from './words.ts';

/** The sign of a fence, and what stands behind it: only where nothing does it may close one. */
const FENCE = /^\s*(`{3,}(?!`)(?!.*`)|~{3,})\s*(.*)$/;
const LINE_START = /^(\s*)(?:(#{1,6})(?=\s)|([-*+•])(?=\s)|(\d{1,9}[.)])(?=\s)|(>(?:\s?>)*))?\s*/u;
const RULE = /^\s*([-=_*])(?:\s*\1){2,}\s*$/;
const BULLET = /^(\s*)([-*+•])(?=\s)/u;
/** A bullet that a text speaks of: "items with * wait", "allowed (+)"; not the stars of emphasis. */
const SPOKEN_BULLET = /(?<![\p{L}\p{N}*+])[*+•](?![\p{L}\p{N}*+])|[("'“‘`][-*+•][)"'”’`]/u;
const SIGNED = /^[\p{N}\p{Sc}]/u;
const INDENTED_CODE = /^(?: {4}|\t)/;

// A line shorter than this is rarely one that was wrapped: it says something by itself.
const WRAPPED_FROM = 30;
/** With code in it white space may count. */
const TABLE_ROW = /^\s*\|[^`]*\|\s*$/;
const TABLE_RULE = /^\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?)?$/;
/** "invoices of friends: yes" is a line by itself. */
const LABEL = /^\p{L}[^.:!?]{0,50}:(?:\s|$)/u;
/** Behind other words a subject begins a sentence of its own: "or by phone I do"; but "when I am asked". */
function hasOwnSubject(line: string): boolean {
  const [clause = ''] = line.toLowerCase().split(/[.!?:;]/);
  const said = clause.match(/\p{L}+(?:'\p{L}+)?/gu) ?? [];
  return said.some((word, at) => at > 1 && SUBJECTS.has(word) && !JOINING.has(said[at - 1] ?? ''));
}

const ONLY_SUBJECTS = new Set('i he she we they ich er wir je tu yo tú nosotros'.split(' '));
const SUBJECTS = new Set([...ONLY_SUBJECTS, 'you', 'du', 'il', 'nous', 'vous']);
const JOINING = new Set(
  `when if that because as what who which where while and or but before after until unless whether how than so
  wenn dass weil was wer wo während und oder aber bevor nachdem bis ob wie si que quand parce et ou mais cuando porque y o pero`.split(
    /\s+/,
  ),
);
/** Words that end no sentence: articles, what stands before a noun like them, conjunctions. */
const NEVER_LAST = new Set(
  `a an the my your our their its and or but
  der die das den dem des ein eine einen mein meine und oder aber el la los las un una mi mis su sus y o
  le les des il lo gli et ou e os as`.split(/\s+/),
);
// Words after which, or with which, a sentence goes on in the next line.
const CONTINUING_WORDS = new Set([
  ...NEVER_LAST,
  ...`of to in on at by for with from into about over under after before without as than that which who
  when where if because so is are was were be this these
  zu zum zur von vom mit für auf an am im in bei aus nach über unter um wenn dass als wie ist sind
  de del al por para con sin en que se como cuando si es son sobre
  du au aux dans sur pour avec di che per nel della do da dos das em no na`.split(/\s+/),
]);

/**
 * Reads a text into its units. Texts that differ only by what cannot change their meaning give the same units: single
 * and double spaces, further empty lines, long lines of a paragraph that ends as a sentence does wrapped in other places, emphasis,
 * typographic variants of quotes, dashes and dots, and a full stop at the end of the text or between the items of a list.
 */
export function readUnits(text: string): MeaningUnit[] {
  const lines = inOneWriting(normalize(text, 'NFC')).replace(/\r\n?/g, '\n').split('\n');
  const wide = lines.filter((line) => GAP.test(withoutPadding(line)));
  const reader = new UnitReader(bulletsTell(lines), wide.length > 1);
  const isProse = proseOf(lines);
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const [, marks = '', info] = FENCE.exec(line) ?? [];
    if (fence !== undefined || marks !== '') {
      reader.addExactLine(line);
      if (fence === undefined) fence = marks;
      else if (marks.startsWith(fence) && info === '') fence = undefined;
    } else reader.addLine(line, isProse[at] ?? false);
  }
  return reader.end();
}

/**
 * Of each line whether the block that it is of, up to an empty line or one that begins an item or a heading, ends as a sentence
 * does.
 */
function proseOf(lines: readonly string[]): readonly boolean[] {
  const ends: boolean[] = [];
  for (let at = lines.length - 1; at >= 0; at -= 1) {
    const next = lines[at + 1];
    const isLast = next === undefined || next.trim() === '' || BEGINS.test(next);
    ends[at] = isLast ? SENTENCE_END.test((lines[at] ?? '').trimEnd()) : (ends[at + 1] ?? false);
  }
  return ends;
}

const BEGINS = /^\s*(?:#{1,6}\s|[-*+•]\s|\d{1,9}[.)]\s|`{3}|~{3})/u;
const SENTENCE_END = /[.!?…。！？]["'”’)\]*_]{0,8}$/u;

/** Whether the bullets of a text say something: it has several kinds side by side, or speaks of one. */
function bulletsTell(lines: readonly string[]): boolean {
  const byIndent = new Map<string, string>();
  return lines.some((line) => {
    const [start = '', indent = '', bullet] = BULLET.exec(line) ?? [];
    if (SPOKEN_BULLET.test(line.slice(start.length))) return true;
    if (bullet === undefined) return false;
    const other = byIndent.get(indent) ?? bullet;
    byIndent.set(indent, bullet);
    return other !== bullet;
  });
}

/** A row of a table without the spaces by which its columns line up. */
function withoutPadding(line: string): string {
  if (!TABLE_ROW.test(line)) return line;
  return line
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ');
}

/** What a heading says, without as many hashes as open it at its end: these only close it. */
function withoutClosing(said: string, opening: string): string {
  return said.replace(/(?<=\p{L}{2}) (#+)$/u, (closing, hashes) => (hashes === opening ? '' : closing));
}

const GAP = /\S(?: {3,}|\t+)\S/;

/** Whether a line holds words and the marks between them alone, and speaks of nothing that machines compare. */
function isPlain(line: string): boolean {
  return /^[\p{L}\p{M}\s.,;:!?'’-]+$/u.test(line) && !namesIdentifier(line);
}

interface Depth {
  readonly indent: number;
  /** Whether it stands a single space in, or between two depths, so that it may belong to either. */
  readonly unclear: boolean;
}

class UnitReader {
  readonly #bulletsTell: boolean;
  /** Wide gaps in several lines line up columns. */
  readonly #gapsTell: boolean;
  readonly #units: MeaningUnit[] = [];
  /** Whether the lines read last belong to a list item, under which an unindented line does not fall. */
  #inItem = false;
  #inHeading = false;
  #blankBefore = false;
  /** Whether the block of lines that is read ends as a sentence does. */
  #isProse = false;
  #lastLine = '';
  #lastIndent = '';
  #depths: Depth[] = [];
  /** Whether a quote is open, of which each letter counts. */
  #quoted = false;
  readonly #identifiers = new IdentifierScope();
  /** Whether the full stop read last may be of the name before it. */
  #stopCounts = false;

  constructor(bulletsTell: boolean, gapsTell: boolean) {
    this.#bulletsTell = bulletsTell;
    this.#gapsTell = gapsTell;
  }

  addExactLine(line: string): void {
    this.#push('exact', line);
    this.#push('layout', 'line');
    this.#lastLine = '';
  }

  /**
   * @param isProse Whether the block of lines that it is of ends as a sentence does. In notes each line may say something by
   * itself.
   */
  addLine(line: string, isProse: boolean): void {
    this.#isProse = isProse;
    if (line.trim() === '') {
      this.#blankBefore = true;
      return;
    }
    if (TABLE_RULE.test(line.trim())) {
      this.#push('layout', line.replaceAll(/\s/g, '').replaceAll(/-+/g, '-'));
      this.#startOver();
      return;
    }
    if (RULE.test(line)) {
      // Under a line of text it makes that a heading, and "===" is none elsewhere. The others say the same.
      const sign = line.trim().charAt(0);
      const place = this.#blankBefore ? 'apart' : 'below';
      this.#push('layout', `rule ${place} ${place === 'apart' && sign !== '=' ? '' : sign}`);
      this.#startOver();
      return;
    }
    const [start = '', spaces = '', heading, bullet, number, quote] = LINE_START.exec(line) ?? [];
    const indent = spaces.replaceAll('\t', '    ');
    const said = withoutClosing(line.slice(start.length).trim(), heading ?? '');
    // "+ Bert" may allow what "- Bert" forbids, and before a number either is a sign.
    const tells = this.#bulletsTell || bullet === '+' || SIGNED.test(said);
    const marker = heading ?? (tells ? bullet : bullet && '-') ?? number ?? quote?.replaceAll(' ', '');
    if (marker === undefined) this.#addPlain(line, indent);
    // That far in, a heading, a quote, or an item of no list above is code.
    else if (INDENTED_CODE.test(line) && (!this.#inItem || (heading ?? quote) !== undefined))
      this.addExactLine(line);
    else this.#addMarked(marker, indent.length, said);
    this.#blankBefore = false;
    this.#lastLine = line.trim();
    this.#lastIndent = indent;
  }

  end(): MeaningUnit[] {
    this.#dropIdle(this.#inItem ? '.,;' : '.');
    return this.#units;
  }

  #addMarked(marker: string, indent: number, said: string): void {
    const isItem = /^[-*+•\d]/u.test(marker);
    const isHeading = marker.startsWith('#');
    const above = this.#depths.length;
    const depth = isItem ? this.#depthOf(indent) : '';
    // Of an item that has items of its own they may go on with what it says.
    if (this.#inItem && isItem && this.#depths.length <= above) this.#dropIdle('.,;');
    if (isItem && !this.#inItem && this.#units.at(-1)?.kind !== 'layout') this.#identifiers.endLabel();
    // How far in a quote or a heading stands tells whether it is of the item above.
    this.#push('layout', isItem ? `item ${depth} ${marker.replace(/[.)]$/, '')}` : `${marker} ${indent}`);
    this.#quoted = false;
    if (isItem) this.#identifiers.beginItem();
    else this.#identifiers.beginBlock();
    this.#inItem = isItem;
    this.#inHeading = isHeading;
    this.#readInline(said);
    this.#inHeading = false;
    if (isHeading) {
      if (this.#units.at(-1)?.text === ':') this.#units.pop();
      this.#push('layout', 'end of heading');
      this.#identifiers.endLabel();
      this.#identifiers.endSentence();
      this.#startOver();
    }
  }

  /** How deep a list item stands among those above it. */
  #depthOf(indent: number): string {
    const deepest = this.#depths.length;
    this.#depths = this.#depths.filter((depth) => depth.indent <= indent);
    const above = this.#depths.at(-1);
    if (above?.indent !== indent) {
      const unclear = this.#depths.length < deepest || (above !== undefined && indent - above.indent === 1);
      this.#depths.push({ indent, unclear });
    }
    return `${this.#depths.length}${this.#depths.at(-1)?.unclear ? ' or other' : ''}`;
  }

  #addPlain(line: string, indent: string): void {
    // Only what goes on with a paragraph is no code there.
    const beginsBlock = this.#blankBefore || (this.#units.at(-1)?.kind ?? 'layout') === 'layout';
    if (!this.#inItem && beginsBlock && INDENTED_CODE.test(line)) {
      this.addExactLine(line);
      return;
    }
    // Behind a quote a line without its sign may be quoted or said.
    if (this.#lastLine.startsWith('>') || !this.#continues(line.trim(), indent)) {
      if (this.#blankBefore) this.#quoted = false;
      if (this.#units.at(-1)?.text !== ':') {
        if (this.#blankBefore) this.#identifiers.beginBlock();
        else this.#identifiers.endSentence();
      }
      this.#push('layout', `${this.#blankBefore ? 'paragraph' : 'line'} ${indent.length}`);
      if (indent === '') this.#inItem = false;
      // Right below an item it may go on with that, and the list behind it.
      if (indent === '' && this.#blankBefore) this.#depths = [];
    }
    this.#readInline(withoutPadding(line).trim());
  }

  /** How far in the item stands that is read. */
  #itemIndent(): number {
    return this.#depths.at(-1)?.indent ?? 0;
  }

  /** Whether a line only wraps the sentence, or the paragraph, of the line above. */
  #continues(line: string, indent: string): boolean {
    const before = this.#units.at(-1);
    if (!before || before.kind === 'layout') return true;
    const isBelow = this.#inItem ? indent.length > this.#itemIndent() : indent === this.#lastIndent;
    if (!this.#isProse || this.#blankBefore || !isBelow || /[:：]$/.test(this.#lastLine)) return false;
    const isWrapped = this.#lastLine.length >= WRAPPED_FROM;
    if (isStop(before)) return isWrapped;
    const [first = ''] = line.split(/\s+/);
    const last = this.#lastLine.split(/\s+/).at(-1) ?? '';
    const goesOn = CONTINUING_WORDS.has(last.toLowerCase()) || ONLY_SUBJECTS.has(last.toLowerCase());
    // "Nobody is the one I report to" may be all of its sentence.
    if (NEVER_LAST.has(last.toLowerCase()) || (goesOn && !/^\p{Lu}/u.test(first))) return true;
    if (hasOwnSubject(line) || LABEL.test(line) || !/^[\p{Ll}"'“‘(*_]/u.test(first)) return false;
    return this.#beganWithCapital() ? isWrapped || CONTINUING_WORDS.has(first) : JOINING.has(first);
  }

  /** Whether the sentence that is read did: where none does, a line that begins small may be one as well. */
  #beganWithCapital(): boolean {
    const start = this.#units.findLast(({ kind, startsSentence }) => startsSentence && kind !== 'layout');
    return start === undefined || !/^\p{Ll}/u.test(start.text);
  }

  /**
   * Drops what says nothing at the end of a text, or between the items of a list: a full stop. Elsewhere it parts what goes before
   * from what comes: "I do not.", and a list of what one does not. Behind a pattern, a path or a name it may belong to that.
   */
  #dropIdle(marks: string): void {
    const [before, last] = this.#units.slice(-2);
    if (last?.kind !== 'mark' || !marks.includes(last.text) || !before) return;
    const isNamed = last.text === '.' && !this.#stopCounts && NAME_END.test(before.text);
    if (before.kind === 'word' || isNamed || PLAIN_END.test(before.text)) this.#units.pop();
  }

  #startOver(): void {
    this.#inItem = false;
    this.#depths = [];
    this.#lastLine = '';
    this.#lastIndent = '';
    this.#blankBefore = false;
  }

  #readInline(said: string): void {
    let quoted = false;
    const gapsTell = this.#gapsTell || !isPlain(said);
    const line = withoutEmphasis(said);
    const named = withoutNameless(line);
    for (const { 0: written, index } of line.matchAll(INLINE)) {
      const isNameless = !named.startsWith(written, index);
      const piece = written.replace(AUTOLINK, '$1$2');
      if (/^\s/.test(piece)) {
        if (gapsTell) this.#push('layout', `gap ${piece.length}`);
        continue;
      }
      if (piece.startsWith('`') || isExactQuote(piece)) {
        this.#push('exact', piece);
        continue;
      }
      // By itself it may be a sign that the text speaks of: "errors are marked with !".
      if (piece === '!') {
        this.#identifiers.endSentence();
        this.#push('exact', piece);
        continue;
      }
      // "..", "--", "*": a folder, an option, a pattern.
      if (/^[^\p{L}\p{N}\p{M}\s]+$/u.test(piece) && !LONE_MARK.test(piece)) {
        this.#push('exact', piece);
        continue;
      }
      // "logs/*", "~/.cache", "db.*", "a_": white space beside these says something.
      if (/[*~_]/.test(piece)) {
        const end = endOfSaid(piece);
        this.#push('exact', piece.slice(0, end));
        for (const mark of piece.slice(end)) this.#addPart(mark, quoted);
        continue;
      }
      const isSaid: boolean = quoted || this.#quoted || this.#identifiers.isOpen;
      for (const part of isSaid ? splitPiece(piece) : splitSentences(piece)) {
        // Behind a number such a sign closes nothing: 5".
        if (part === '“' || part === '”') this.#quoted = part === '“';
        // Which apostrophe closes it is not sure.
        quoted ||= part === '‘';
        this.#addPart(part, quoted, isNameless);
      }
    }
  }

  #addPart(part: string, quoted: boolean, isNameless = false): void {
    if (/^[^\p{L}\p{N}\p{M}]+$/u.test(part) && isPunctuation(part)) {
      const mark = plainMark(part);
      // Doubled by mistake; three dots are no such mistake.
      if (this.#units.at(-1)?.text === mark && /^[.,;!]$/.test(mark)) return;
      if (mark === ':') this.#identifiers.endLabel();
      if (mark === '.') this.#stopCounts = this.#identifiers.stopCounts;
      if (/^[.!?]$/.test(mark) && !this.#isAbbreviated(this.#units.at(-1))) this.#identifiers.endSentence();
      this.#push('mark', mark);
      return;
    }
    const counts = quoted || this.#quoted || this.#identifiers.isOpen;
    const isWord = !counts && WORDS.some((script) => script.test(part));
    this.#push(isWord ? 'word' : 'exact', part);
    if (!quoted && !this.#quoted && !isNameless) this.#identifiers.addWord(part, !isWord);
  }

  #isAbbreviated(word: MeaningUnit | undefined): boolean {
    if (word === undefined) return false;
    return word.text.length === 1 || INITIALS.test(word.text) || ABBREVIATIONS.has(word.text.toLowerCase());
  }

  #push(kind: MeaningUnit['kind'], text: string): void {
    const before = this.#units.at(-1);
    const startsSentence =
      !before ||
      (before.kind === 'layout' && !before.text.startsWith('gap')) ||
      (isStop(before) && !this.#isAbbreviated(this.#units.at(-2)));
    this.#units.push({ kind, text, startsSentence, inHeading: this.#inHeading });
  }
}

/** A word, or several with hyphens, without a full stop of its own. */
const NAME_END = /^(?:\p{L}{4,}|\p{L}{2,}(?:-\p{L}{2,})+)$/u;
/** A number with its unit, what is written in a script without capitals, a mark that closes. */
const PLAIN_END =
  /^(?:[€$]?\p{N}+(?:[.,:]\p{N}+)*(?:%|€|[ap]m|[kcm]m|[mk]g|m[ls]|[MGT]B)?|[\p{L}\p{M}\p{N}]*\p{Lo}|(?=.*\p{Lo})[\p{Lo}\p{Lm}\p{M}\p{N}\p{P}]+(?<=\p{N})(?:[kcm]m|[mk]g|m[ls]|[MGT]B)|(?=.*\p{Lo})[\p{Lo}\p{Lm}\p{M}\p{N}\p{P}]+|[)%“”‘’])$/u;
/** "U.S", "a.m": the full stop behind ends no sentence. */
const INITIALS = /^(?:\p{L}{1,2}\.)+\p{L}$/u;
// Of one script: a letter that looks like another script's makes another word.
const WORDS = [
  /^\p{Script=Latin}[\p{Script=Latin}\p{M}]*(?:'\p{Script=Latin}+)?$/u,
  /^\p{Script=Cyrillic}+$/u,
  /^\p{Script=Greek}+$/u,
];
const INLINE =
  /(`+)[^`]+\1|(?<![\p{L}\p{N}])(["'])(?=[^"']*(?: {2}|\p{L},\p{L}))[^"']*\2|[^\s`]+|`+| {3,}|\t+/gu;
/** An address in angle brackets is the same address. */
const AUTOLINK = /^<(https?:\/\/[^\s<>]+)>([.,;:!?]*)$/u;
/** A full stop without its space: what comes is no file name, nor a domain. */
const UNSPACED_STOP = /^(\p{Ll}{3,}[.!?])(I|We|She|They|The|Ich|Wir|Yo|Nous)(?=$|['’,])/u;
const OPENING = new Set('("\'¿¡[{');
const CLOSING = new Set('.,;:!?)"\'…]}。｡।');
/** Splits a run of which the space between two sentences is missing. */
function splitSentences(piece: string): string[] {
  const [, first = ''] = UNSPACED_STOP.exec(piece) ?? [];
  return [...splitPiece(first), ...splitPiece(piece.slice(first.length))];
}

/** Splits a run without spaces into punctuation before it, what it says, and punctuation behind it. */
function splitPiece(piece: string): string[] {
  const said = piece.replace(/[“”„«»]/gu, '"').replace(/[‘’‚]/gu, "'");
  let start = 0;
  let end = said.length;
  while (start < end && OPENING.has(said.charAt(start))) start += 1;
  while (end > start && CLOSING.has(said.charAt(end - 1))) end -= 1;
  return [
    ...said.slice(0, start).replaceAll('"', '“').replaceAll("'", '‘'),
    // A dash that joins two words stands between clauses, as one with spaces does; a comma may lack its space.
    ...said
      .slice(start, end)
      .split(isPlain(piece) ? /(?<=\p{L}{3})([—,])(?=\p{L}{3})/u : /(?<=\p{L}{3})(—)(?=\p{L}{3})/u)
      .filter((part) => part !== ''),
    ...(said
      .slice(end)
      .replaceAll('"', '”')
      .replaceAll("'", '’')
      .match(/\.{3,}|./gsu) ?? []),
  ];
}

/** Quoted, with a gap, or without one behind a comma: what machines compare. */
function isExactQuote(piece: string): boolean {
  const isQuoted = /^["']/.test(piece) && piece.length > 1 && piece.at(-1) === piece.charAt(0);
  return isQuoted && / {2}|\p{L},\p{L}/u.test(piece);
}

/** Where the marks that end a sentence begin. */
function endOfSaid(piece: string): number {
  let end = piece.length;
  while (end > 1 && '.,;:!?'.includes(piece.charAt(end - 1))) end -= 1;
  return end;
}

function isPunctuation(part: string): boolean {
  return /^\p{P}+$/u.test(part);
}

/** Punctuation that may stand between words: a dash, an ellipsis, what is quoted. */
const LONE_MARK = /^(?:[-–—…"'“”„«»‘’&]|\.{3,}|[,;:!?]["”'’]?)$/u;

function plainMark(mark: string): string {
  if (/^[-–—]$/u.test(mark)) return '-';
  if (/^[。｡।]$/u.test(mark)) return '.';
  return mark === '…' || /^\.{3,}$/.test(mark) ? '...' : mark;
}

function isStop({ kind, text }: MeaningUnit): boolean {
  return (kind === 'mark' && (text === '.' || text === '?')) || text === '!';
}
