import type { Facet } from './contract.ts';

/** Words with a capital that follow each other, as in `Ada Lovelace`. */
const NAMED = /(?<![\p{L}\p{N}_'’-])\p{Lu}[\p{Ll}\p{Lo}\p{N}'’-]+(?: \p{Lu}[\p{Ll}\p{Lo}\p{N}'’-]+){0,2}/gu;
/** What ends a sentence, a line or a heading: a capital behind it is no sign of a name. */
const ENDS = /[.!?:;\n\r"“„*#>|]/;
const SPACE = /\s/;
/** A word or an apostrophe-s behind a name. */
const POSSESSIVE = /['’]s$/u;
/** Memories that must speak of a name. */
const LEAST = 2;
const SHORTEST = 3;

/** Words that are written with a capital within a sentence and name nobody. */
const NO_NAMES = new Set(
  [
    ...['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'],
    ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'],
    ...['September', 'October', 'November', 'December'],
    ...['The', 'This', 'That', 'They', 'There', 'You', 'And', 'But', 'Yes', 'Not', 'What', 'When', 'How'],
  ].map((word) => word.toLowerCase()),
);

/**
 * Counts the names in texts: in how many texts each is, not how often. What stands only where a sentence begins counts as no
 * name, since every word has a capital there.
 *
 * It is a guess, made from letters alone: German writes each noun so, and Chinese no name.
 */
export function createNameCount() {
  const texts = new Map<string, number>();
  const sure = new Set<string>();
  return {
    add(text: string): void {
      const names = namesIn(text);
      for (const [name, isSure] of names) {
        texts.set(name, (texts.get(name) ?? 0) + 1);
        if (isSure) sure.add(name);
      }
    },
    most(limit: number): Facet[] {
      const found = [...texts].filter(([name, count]) => count >= LEAST && sure.has(name));
      const within = countEnds(found);
      return found
        .filter(([name, count]) => count > (within.get(name) ?? 0))
        .map(([value, memories]) => ({ value, memories }))
        .sort((one, other) => other.memories - one.memories || (one.value < other.value ? -1 : 1))
        .slice(0, limit);
    },
  };
}

/** Of what names of several words end with, in how many texts the name of them is that most texts hold. */
function countEnds(names: readonly (readonly [name: string, count: number])[]): ReadonlyMap<string, number> {
  const ends = new Map<string, number>();
  for (const [name, count] of names) {
    for (let at = name.indexOf(' '); at >= 0; at = name.indexOf(' ', at + 1)) {
      const end = name.slice(at + 1);
      ends.set(end, Math.max(ends.get(end) ?? 0, count));
    }
  }
  return ends;
}

/**
 * The names in one text, each with whether it stands within a sentence. At the start of one, the first word may be any: what
 * follows it is then a name of its own, too.
 */
function namesIn(text: string): ReadonlyMap<string, boolean> {
  const names = new Map<string, boolean>();
  const add = (words: readonly string[], isSure: boolean) => {
    const name = words.join(' ');
    if (name.length < SHORTEST || NO_NAMES.has(name.toLowerCase())) return;
    names.set(name, isSure || names.get(name) === true);
  };
  for (const { 0: run, index } of text.matchAll(NAMED)) {
    const words = run.replace(POSSESSIVE, '').split(' ');
    const begins = isBeginning(text, index);
    add(words, !begins);
    if (begins) add(words.slice(1), true);
  }
  return names;
}

/** Whether a sentence, a line or a heading begins at a place of a text, with only white space before it. */
function isBeginning(text: string, place: number): boolean {
  for (let at = place - 1; at >= 0; at -= 1) {
    const sign = text[at] ?? '';
    if (ENDS.test(sign)) return true;
    if (!SPACE.test(sign)) return false;
  }
  return true;
}
