import { hasUnseen, unseenRuns } from '../text/unseen.ts';
import type { Span } from './span.ts';

/** A text as somebody would read it who takes an encoding or line ends out, and where its parts are in the text. */
export interface DecodedText {
  readonly text: string;
  /** Where lines were joined: what follows may be no part of what stands before. */
  readonly joints: readonly number[];
  /** The same span in the text itself. */
  locate(span: Span): Span;
}

// Percent signs of URLs, also encoded twice; escapes of JSON and of other languages, also doubled; entities of HTML. A run of
// backslashes is read from its first one only: begun anew at each, a long run would take time that grows with its square.
const ENCODED =
  /%(?:25)*(0[9ad]|[2-7][0-9a-f])|(?<!\\)\\+(?:u00([2-7][0-9a-f])|x([2-7][0-9a-f])|([nrt"'/]))|&(?:#x([2-7][0-9a-f])|#(\d{2,3})|(amp|quot|apos|lt|gt|colon|sol|equals|commat));/gi;
const ENCODINGS = /%(?:0[9ad]|[2-7][0-9a-f])|\\[nrtux"'/]|&#?\w{2,6};/i;
// Letters that nobody encodes but to hide them.
const ENCODED_RUN = /(?:%(?:25)*[2-7][0-9a-f]|(?<!\\)\\+(?:u00|x)[2-7][0-9a-f]|&#x?\w{2,3};){3}/i;
const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  amp: '&',
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  colon: ':',
  sol: '/',
  equals: '=',
  commat: '@',
};
// A line end within a word, with what quoting, comments, continued strings and mail put around it.
const WRAP =
  /(?<=[\w+/.~:-])(?:(?:=|[ \t]{0,4}\\?)(?:\r\n|\r|\n)[ \t]{0,40}(?:(?:[>|*#+]|\/\/)[ \t]{0,4}){0,3}|["'`][ \t]{0,4}[+.,\\]?[ \t]{0,4}(?:\r\n|\r|\n)?[ \t]{0,40}[+.]?[ \t]{0,4}["'`])(?=[\w+/.~=:-])/g;

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Whether a text holds what only a view of it shows. */
export const isVeiled = (text: string) => hasUnseen(text) || ENCODED_RUN.test(text);

/** The views of a text that differ from it. */
export function viewsOf(text: string): DecodedText[] {
  const seen = edit(text, hidden(text));
  const decoded = edit(seen?.text ?? text, encoded(seen?.text ?? text));
  const plain = chain(seen, decoded);
  const joined = edit(plain?.text ?? text, wraps(plain?.text ?? text), true);
  return [plain, chain(plain, joined)].filter(
    (view, index, all) => view && all.indexOf(view) === index,
  ) as DecodedText[];
}

function* hidden(text: string): Generator<Edit> {
  for (const { start, unseen } of unseenRuns(text)) yield { start, end: start + unseen.length, by: '' };
}

function* encoded(text: string): Generator<Edit> {
  if (!ENCODINGS.test(text)) return;
  for (const match of text.matchAll(ENCODED)) {
    const [found, percent, unicode, hex, escaped, entity, decimal, name] = match;
    const code = percent ?? unicode ?? hex ?? entity;
    const named = (escaped ?? name)?.toLowerCase();
    const by =
      named === undefined
        ? String.fromCharCode(code === undefined ? Number(decimal) : Number.parseInt(code, 16))
        : (NAMED[named] ?? named);
    yield { start: match.index, end: match.index + found.length, by };
  }
}

function* wraps(text: string): Generator<Edit> {
  for (const { 0: found, index } of text.matchAll(WRAP))
    yield { start: index, end: index + found.length, by: '' };
}

function edit(text: string, edits: Iterable<Edit>, joins = false): DecodedText | undefined {
  const made: (Edit & { readonly at: number })[] = [];
  let result = '';
  let rest = 0;
  for (const one of edits) {
    result += text.slice(rest, one.start);
    made.push({ ...one, at: result.length });
    result += one.by;
    rest = one.end;
  }
  if (made.length === 0) return undefined;
  result += text.slice(rest);
  const places = made.map((one) => one.at);
  /** The place in the text of a place in the view. */
  const place = (at: number, side: 'start' | 'end'): number => {
    const before = made[countUpTo(places, at) - 1];
    if (!before) return at;
    const within = at - before.at;
    return within < before.by.length ? before[side] : before.end + within - before.by.length;
  };
  return {
    text: result,
    joints: joins ? places : [],
    // The last character of the span, and what follows it: its end may be an encoding of several.
    locate: ({ start, end, kind }) => ({ start: place(start, 'start'), end: lastOf(end), kind }),
  };

  function lastOf(end: number): number {
    const last = place(end - 1, 'end');
    return last === place(end - 1, 'start') ? last + 1 : last;
  }
}

/** How many of these rising numbers are at most `limit`. */
function countUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  for (let high = numbers.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function chain(first: DecodedText | undefined, second: DecodedText | undefined): DecodedText | undefined {
  if (!first || !second) return second ?? first;
  return { ...second, locate: (span) => first.locate(second.locate(span)) };
}

// What follows a joined line end is a part of the secret only where no prose looks so.
const RANDOM = /\d|[a-z][A-Z]|[A-Z]{2}[a-z]|[A-Z]{4}|[+/=_]/;
const SHORTEST_PIECE = 4;

/**
 * A span of a view with joined lines without the lines at its end that read like prose. Nothing where it lies in one
 * line: there it is found without this view.
 */
export function trimProse({ text, joints }: DecodedText, span: Span): Span[] {
  if (joints.length === 0) return [span];
  let index = countUpTo(joints, span.start);
  let end = joints[index] ?? span.end;
  let isJoined = false;
  while (end < span.end) {
    index += 1;
    const next = Math.min(joints[index] ?? span.end, span.end);
    const piece = text.slice(end, next);
    if (piece.length < SHORTEST_PIECE || !RANDOM.test(piece)) break;
    end = next;
    isJoined = true;
  }
  return isJoined ? [{ ...span, end }] : [];
}
