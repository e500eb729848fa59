import { LIMITS } from '../../kernel/contract/fields.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { piecesOf } from '../../text/split-text.ts';
import { firstCharacters } from '../../text/truncate.ts';
import { withoutUnseen } from '../../text/unseen.ts';

/** A part of a document that becomes a memory of its own. */
interface Part {
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

// Lines that are looked at in one turn of the event loop: less than a millisecond's.
const LINES_AT_ONCE = 500;

const LINE_END = /\r\n?|\n/g;
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
export async function splitDocument(
  document: string,
  taken: readonly string[] = [],
  leastToSplit = LEAST_TO_SPLIT,
): Promise<Part[]> {
  const sections: Section[] =
    document.length <= leastToSplit ? [{ text: document }] : await splitAtHeadings(document);
  const used = new Set(taken);
  const parts: Part[] = [];
  for (const [index, section] of sections.entries()) {
    const slug = index === 0 ? undefined : uniqueSlug(section.heading ?? '', used);
    let place = 0;
    for (const text of piecesOf(section.text, LIMITS.contentCharacters)) {
      await yieldToEventLoop();
      // No heading yields a slug with a tilde, so these are free.
      const own = place === 0 ? slug : `${slug ?? ''}~${place + 1}`;
      parts.push(own === undefined ? { text } : { slug: own, text });
      place += 1;
    }
  }
  return parts;
}

interface Section {
  text: string;
  heading?: string;
}

async function splitAtHeadings(document: string): Promise<Section[]> {
  const blocks = await readBlocks(document);
  for (let level = 6; level >= 1; level -= 1) {
    const sections = await splitAtLevel(blocks, level);
    if (sections) return sections;
  }
  return [{ text: document }];
}

/** The sections of headings up to a level; undefined where they are too many. */
async function splitAtLevel(blocks: readonly Block[], deepest: number): Promise<Section[] | undefined> {
  const sections: Section[] = [{ text: '' }];
  for (const [index, { text, level }] of blocks.entries()) {
    if (index % LINES_AT_ONCE === 0) await yieldToEventLoop();
    const last = sections.at(-1);
    // White space before the first heading is no part of its own.
    const begins = level !== undefined && level <= deepest && last?.text.trim() !== '';
    if (begins) {
      if (sections.length === MOST_PARTS) return undefined;
      sections.push({ text, heading: text.slice(0, LONGEST_HEADING) });
    } else if (last) {
      last.text += text;
    }
  }
  return sections;
}

/** A heading, or all lines up to the next one. */
interface Block {
  readonly text: string;
  /** Of the heading, if it is one. */
  readonly level?: number;
}

async function readBlocks(document: string): Promise<Block[]> {
  const blocks: Block[] = [];
  let open: OpenBlock | undefined;
  let from = 0;
  let start = 0;
  for (let lines = 0; start < document.length; lines += 1) {
    if (lines % LINES_AT_ONCE === 0) await yieldToEventLoop();
    LINE_END.lastIndex = start;
    const found = LINE_END.exec(document);
    const end = found ? found.index + found[0].length : document.length;
    const line = document.slice(start, found?.index ?? document.length);
    const level = open ? undefined : HEADING.exec(line)?.[1]?.length;
    if (level !== undefined) {
      if (start > from) blocks.push({ text: document.slice(from, start) });
      blocks.push({ text: document.slice(start, end), level });
      from = end;
    }
    if (line !== '') open = follow(open, line);
    start = end;
  }
  if (from < document.length) blocks.push({ text: document.slice(from) });
  return blocks;
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
  const words = (
    heading
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  )
    .map(withoutUnseen)
    .filter((word) => word !== '');
  const base = firstCharacters(words.join('-'), SLUG_CHARACTERS) || 'section';
  let slug = base;
  for (let number = 2; used.has(slug); number += 1) slug = `${base}-${number}`;
  used.add(slug);
  return slug;
}
