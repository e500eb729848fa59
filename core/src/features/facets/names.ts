import type { Facet } from './contract.ts';

/** Words with a capital that follow each other, as in `Ada Lovelace`; the sign before them tells whether a sentence begins. */
const NAMED =
  /(^|[^\p{L}\p{N}_'’-]+)(\p{Lu}[\p{Ll}\p{Lo}\p{N}'’-]+(?: \p{Lu}[\p{Ll}\p{Lo}\p{N}'’-]+){0,2})/gu;
/** What ends a sentence, a line or a heading: a capital behind it is no sign of a name. */
const BEGINS = /(^$|[.!?:;\n\r"“„*#>|-]\s*$)/u;
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
    /** The names that most texts hold. */
    most(limit: number): Facet[] {
      const found = [...texts].filter(([name, count]) => count >= LEAST && sure.has(name));
      const wholes = found.filter(([name]) => name.includes(' '));
      return found
        .filter(
          ([name, count]) => !wholes.some(([whole, times]) => whole.endsWith(` ${name}`) && times >= count),
        )
        .map(([value, memories]) => ({ value, memories }))
        .sort((one, other) => other.memories - one.memories || (one.value < other.value ? -1 : 1))
        .slice(0, limit);
    },
  };
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
  for (const [, before = '', run = ''] of text.matchAll(NAMED)) {
    const words = run.replace(POSSESSIVE, '').split(' ');
    const begins = BEGINS.test(before);
    add(words, !begins);
    if (begins) add(words.slice(1), true);
  }
  return names;
}
