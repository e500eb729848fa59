import { createRequire } from 'node:module';

interface Tokenizer {
  countTokens(text: string, options: { readonly disallowedSpecial: Set<string> }): number;
}

let tokenizer: Tokenizer | undefined;

/** Counts by a tokenizer that is loaded already, as in a bundle, where none can be found when it is needed. */
export function countWith(loaded: Tokenizer): void {
  tokenizer = loaded;
}

/**
 * Loads the tokenizer, which holds the process for a fifth of a second: a service does so soon after its start. Otherwise
 * it is loaded when first needed, since its table takes 30 MiB, which a process that renders no boot need not hold.
 */
export function loadTokenizer(): Tokenizer {
  tokenizer ??= createRequire(import.meta.url)('#o200k_base') as Tokenizer;
  return tokenizer;
}

function countPlain(text: string): number {
  return loadTokenizer().countTokens(text, NOTHING_SPECIAL);
}

// The tokenizer takes quadratic time for a run that its pre-splitting does not break: letters with their marks,
// other signs, or white space. 30,000 characters without a break would hold the process for seconds.
const RUN = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu;
const LONGEST_COUNTED_RUN = 240;
// Shorter, since what stands around a run in an injection may add some characters to it.
const LONGEST_SHOWN_RUN = 160;
// Texts such as `<|endoftext|>` are memories like any other, not commands to the tokenizer.
const NOTHING_SPECIAL = { disallowedSpecial: new Set<string>() };

/**
 * Number of o200k tokens of a text, in time linear in its length. Exact, except that unbroken runs of more than
 * 240 letters, signs or blanks are counted in pieces, which may count a few tokens too many.
 */
export function countTokens(text: string): number {
  const breaks = breaksIn(text, LONGEST_COUNTED_RUN);
  if (breaks.length === 0) return countPlain(text);
  const ends = [...breaks, text.length];
  const pieces = ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end));
  return pieces.reduce((sum, piece) => sum + countPlain(piece), 0);
}

/** Breaks unbroken runs of more than 160 letters, signs or blanks into lines, so that `countTokens` is exact. */
export function breakRuns(text: string): string {
  const ends = [...breaksIn(text, LONGEST_SHOWN_RUN), text.length];
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end)).join('\n');
}

/** Where runs longer than `longest` are to be broken; never inside a surrogate pair. */
function breaksIn(text: string, longest: number): number[] {
  const places: number[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    let start = 0;
    while (run.length - start > longest) {
      const unit = run.charCodeAt(start + longest);
      start += unit >= 0xdc00 && unit <= 0xdfff ? longest - 1 : longest;
      places.push(index + start);
    }
  }
  return places;
}
