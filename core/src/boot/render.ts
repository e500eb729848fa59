import type { BootSection } from './contract.ts';
import { renderMemory } from './entry.ts';
import { type Block, type Candidate, fill, fillEvenly } from './fill.ts';
import type { Entry, Section } from './section.ts';
import { countTokens } from './tokens.ts';

/** What an injection is rendered from. */
export interface Draft {
  /** The lines before the first section, each ending in a line break; the service's own words. */
  readonly header: string;
  readonly sections: readonly Section[];
  /** Shown last and always, whatever else the budget leaves out. */
  readonly session: Section;
  /** o200k tokens, at least 256. */
  readonly tokenBudget: number;
  /** Characters after which an entry is cut. */
  readonly truncateAt: number;
}

/** An injection and its exact size. */
export interface Injection {
  readonly injection: string;
  readonly estimated_tokens: number;
  /** Core memories that found a place. */
  readonly coreShown: number;
  /** What each section takes. */
  readonly sections: readonly BootSection[];
}

/** Name of the section that comes out of the budget before all others. */
const FIRST_SECTION = 'identity';

// A cut that can afford it says where the rest is; that alone takes about 40 tokens.
const FULL_NOTICE_FROM = 120;
// More characters than this never go into a token on average, so longer cuts need not be tried.
const MOST_CHARACTERS_PER_TOKEN = 16;

/** A section with what it got of the budget. */
interface Filling {
  readonly section: Section;
  readonly taken: Map<number, Block>;
}

/**
 * Renders sections within a token budget: header and session first, then who the agent is, then the others by
 * weight. Lines at column 0 are the service's own; text of memories stands behind `- [` or `  > `.
 */
export function renderInjection(draft: Draft): Injection {
  const sections = draft.sections.filter(({ entries, omitted = 0 }) => entries.length > 0 || omitted > 0);
  const session = renderWhole(draft.session);
  const first = sections.filter(({ name }) => name === FIRST_SECTION);
  const others = sections.filter(({ name }) => name !== FIRST_SECTION);

  let left = draft.tokenBudget - countTokens(draft.header) - countTokens(session);
  // Room to name the sections that get none.
  const reserve = countTokens(missingLine(others));
  const fillings = new Map<Section, Filling>();
  for (const section of first) {
    const taken = fillEvenly(candidatesOf(section, draft.truncateAt), left - reserve - overheadOf(section));
    fillings.set(section, { section, taken: new Map(taken) });
    if (taken.size > 0) left -= overheadOf(section);
    for (const { tokens } of taken.values()) left -= tokens;
  }
  const bidders = others.map((section) => ({
    weight: section.weight ?? 1,
    overhead: overheadOf(section),
    candidates: candidatesOf(section, draft.truncateAt),
  }));
  const freely = fill(bidders, left);
  const filled = freely.every(({ size }) => size > 0) ? freely : fill(bidders, left - reserve);
  for (const [index, section] of others.entries()) {
    fillings.set(section, { section, taken: new Map(toShownOrder(section, filled[index])) });
  }
  const ordered = sections.flatMap((section) => fillings.get(section) ?? []);
  return assemble(draft, ordered, session);
}

/** Puts the text together and counts it; should the parts add up to more than their sum, the last go. */
function assemble(draft: Draft, fillings: readonly Filling[], session: string): Injection {
  const droppable = [...fillings].reverse();
  const empty = fillings.filter(({ taken }) => taken.size === 0).map(({ section }) => section);
  for (let missing = missingLine(empty); ; ) {
    const body = fillings.map(renderFilling).join('');
    const injection = `${draft.header}${body}${session}${missing}`.trimEnd();
    const tokens = countTokens(injection);
    if (tokens <= draft.tokenBudget) {
      const spent = [...fillings, wholeOf(draft.session)].map(spentOn);
      return { injection, estimated_tokens: tokens, coreShown: countCore(fillings), sections: spent };
    }
    const victim = droppable.find(({ taken }) => taken.size > 0);
    if (missing !== '') missing = '';
    else if (victim) drop(victim);
    else return cutLines(injection, draft.tokenBudget);
  }
}

function drop({ section, taken }: Filling): void {
  const shown = [...taken.keys()].sort((a, b) => a - b);
  const least = section.keep === 'last' ? shown[0] : shown.at(-1);
  if (least !== undefined) taken.delete(least);
}

/** The last resort for a session section that a budget cannot hold: its first lines. */
function cutLines(text: string, budget: number): Injection {
  const lines = text.split('\n');
  while (lines.length > 1 && countTokens(lines.join('\n')) > budget) lines.pop();
  const injection = lines.join('\n');
  return { injection, estimated_tokens: countTokens(injection), coreShown: 0, sections: [] };
}

function countCore(fillings: readonly Filling[]): number {
  return fillings
    .flatMap(({ section, taken }) => section.entries.filter((_, index) => taken.has(index)))
    .filter(({ memory }) => memory?.type === 'core').length;
}

function wholeOf(section: Section): Filling {
  return {
    section,
    taken: new Map(section.entries.map((entry, index) => [index, toBlock(renderEntry(entry))])),
  };
}

function spentOn({ section, taken }: Filling): BootSection {
  const blocks = [...taken.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    name: section.name,
    title: oneLine(section.title),
    estimated_tokens: taken.size === 0 ? 0 : blocks + countTokens(titleOf(section)),
    shown: taken.size,
    omitted: section.entries.length - taken.size + (section.omitted ?? 0),
  };
}

function renderFilling({ section, taken }: Filling): string {
  if (taken.size === 0) return '';
  const blocks = [...taken].sort(([a], [b]) => a - b).map(([, { text }]) => text);
  const missing = section.entries.length - taken.size + (section.omitted ?? 0);
  const note = missing > 0 ? announcement(section, missing) : '';
  const [before, after] = section.keep === 'last' ? [note, ''] : ['', note];
  return titleOf(section) + before + blocks.join('') + after;
}

/** Names sections that found no place at all. */
function missingLine(sections: readonly Section[]): string {
  if (sections.length === 0) return '';
  const names = sections.map(
    ({ title, entries, omitted = 0 }) => `${oneLine(title)} ${entries.length + omitted}`,
  );
  return `- Not shown for lack of space: ${names.join(', ')}\n`;
}

function titleOf(section: Section): string {
  return `\n## ${oneLine(section.title)}\n`;
}

function announcement(section: Section, missing: number): string {
  return `- … ${missing} ${section.keep === 'last' ? 'earlier' : 'more'} not shown\n`;
}

function overheadOf(section: Section): number {
  const most = section.entries.length + (section.omitted ?? 0);
  return countTokens(titleOf(section) + announcement(section, most));
}

function renderWhole(section: Section): string {
  return titleOf(section) + section.entries.map((entry) => renderEntry(entry)).join('');
}

/** A section's entries as candidates, the most important first. */
function candidatesOf({ entries, keep }: Section, truncateAt: number): Candidate[] {
  const candidates = entries.map((entry) => candidateOf(entry, truncateAt));
  return keep === 'last' ? candidates.reverse() : candidates;
}

function toShownOrder({ entries, keep }: Section, taken: ReadonlyMap<number, Block> = new Map()) {
  const last = entries.length - 1;
  return [...taken].map(([index, block]) => [keep === 'last' ? last - index : index, block] as const);
}

function candidateOf(entry: Entry, truncateAt: number): Candidate {
  const limit = entry.whole ? undefined : truncateAt;
  let block: Block | undefined;
  return {
    whole: () => {
      block ??= toBlock(renderEntry(entry, limit));
      return block;
    },
    cut: (tokens) => cutToTokens(entry, limit ?? Number.POSITIVE_INFINITY, tokens),
  };
}

/** The longest beginning of a memory that costs at most so many tokens. */
function cutToTokens(entry: Entry, limit: number, tokens: number): Block | undefined {
  if (!entry.memory) return undefined;
  const brief = tokens < FULL_NOTICE_FROM;
  let best: Block | undefined;
  let fits = 0;
  let tooLong = Math.min(entry.memory.content.length, limit, tokens * MOST_CHARACTERS_PER_TOKEN);
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    const block = toBlock(renderEntry(entry, middle, brief));
    if (block.tokens <= tokens) {
      best = block;
      fits = middle;
    } else {
      tooLong = middle;
    }
  }
  return best;
}

function renderEntry(entry: Entry, truncateAt?: number, brief = false): string {
  const { memory, fullLength, note, text = '' } = entry;
  if (!memory) return text.endsWith('\n') ? text : `${text}\n`;
  return renderMemory(memory, {
    brief,
    ...(truncateAt === undefined ? {} : { truncateAt }),
    ...(fullLength === undefined ? {} : { fullLength }),
    ...(note === undefined ? {} : { note }),
  });
}

function toBlock(text: string): Block {
  return { text, tokens: countTokens(text) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
