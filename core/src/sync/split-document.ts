import { splitText } from '../compaction/split-text.ts';
import { LIMITS } from '../contract/fields.ts';

/** A part of a document that becomes a memory of its own. */
export interface Part {
  /** What follows `#` in the part's key; undefined for the first, which has the document's own key. */
  readonly slug?: string;
  readonly text: string;
}

// A shorter document says more as one memory than in pieces.
const LEAST_TO_SPLIT = 600;
const SLUG_CHARACTERS = 48;
const LONGEST_HEADING = 400;

// With more headings than this only the higher levels split.
const MOST_PARTS = 400;

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
// A fence may open in the line of a list item.
const FENCE = /^( *)((?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*)(`{3,}|~{3,})/;
const COMMENT = /^ {0,3}<!--/;

/**
 * Splits a markdown document at its ATX headings (`#` to `######`), which do not count inside fenced or indented code
 * and comments. Put together, the texts of the parts are the document.
 *
 * A part's slug comes from its heading, with `-2`, `-3` … for repeated ones: editing one section renames no other.
 *
 * @param taken slugs that are not to be used
 * @param leastToSplit characters up to which a document stays whole
 */
export function splitDocument(
  document: string,
  taken: readonly string[] = [],
  leastToSplit = LEAST_TO_SPLIT,
): Part[] {
  const sections: Section[] =
    document.length <= leastToSplit ? [{ text: document }] : splitAtHeadings(document);
  const used = new Set(taken);
  return sections.flatMap((section, index) => {
    const slug = index === 0 ? undefined : uniqueSlug(section.heading ?? '', used);
    return splitText(section.text, LIMITS.contentCharacters).map((text, place) => {
      // No heading yields a slug with a tilde, so these are free.
      const own = place === 0 ? slug : `${slug ?? ''}~${place + 1}`;
      return own === undefined ? { text } : { slug: own, text };
    });
  });
}

interface Section {
  text: string;
  heading?: string;
}

function splitAtHeadings(document: string): Section[] {
  const lines = readLines(document);
  for (let level = 6; level >= 1; level -= 1) {
    const sections = splitAtLevel(lines, level);
    if (sections.length <= MOST_PARTS) return sections;
  }
  return [{ text: document }];
}

function splitAtLevel(lines: readonly Line[], deepest: number): Section[] {
  const sections: Section[] = [{ text: '' }];
  for (const { text, level } of lines) {
    const last = sections.at(-1);
    // White space before the first heading is no part of its own.
    const begins = level !== undefined && level <= deepest && last?.text.trim() !== '';
    if (begins) sections.push({ text, heading: text.slice(0, LONGEST_HEADING) });
    else if (last) last.text += text;
  }
  return sections;
}

interface Line {
  readonly text: string;
  /** Of the heading that the line is, if it is one. */
  readonly level?: number;
}

function readLines(document: string): Line[] {
  let block: OpenBlock | undefined;
  return document.split(/(?<=\n|\r(?!\n))/).map((text) => {
    const plain = text.replace(/[\r\n]{1,2}$/, '');
    const level = block ? undefined : HEADING.exec(plain)?.[1]?.length;
    block = follow(block, plain);
    return level === undefined ? { text } : { text, level };
  });
}

/** A block in which `#` is no heading. */
type OpenBlock =
  | { readonly kind: 'comment' }
  | { readonly kind: 'fence'; readonly mark: string; readonly listed: boolean };

function follow(block: OpenBlock | undefined, line: string): OpenBlock | undefined {
  if (block?.kind === 'comment') return line.includes('-->') ? undefined : block;
  const match = FENCE.exec(line);
  if (match) {
    const [opening, indent = '', list = '', mark = ''] = match;
    const info = line.slice(opening.length);
    if (!block) {
      const opens = indent.length <= 3 && !(mark.startsWith('`') && info.includes('`'));
      return opens ? { kind: 'fence', mark, listed: list !== '' } : undefined;
    }
    // The end of a fence in a list is indented as its item is.
    const closes = mark.startsWith(block.mark) && info.trim() === '' && list === '';
    return closes && (block.listed || indent.length <= 3) ? undefined : block;
  }
  if (block) return block;
  return COMMENT.test(line) && !line.includes('-->') ? { kind: 'comment' } : undefined;
}

function uniqueSlug(heading: string, used: Set<string>): string {
  const words =
    heading
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const base = [...words.join('-')].slice(0, SLUG_CHARACTERS).join('') || 'section';
  let slug = base;
  for (let number = 2; used.has(slug); number += 1) slug = `${base}-${number}`;
  used.add(slug);
  return slug;
}
