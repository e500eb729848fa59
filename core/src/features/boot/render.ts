import { countTokens } from '../../text/tokens.ts';
import { cutText } from '../../text/truncate.ts';
import { type Bid, type Block, fill, fillEvenly } from './allocate-budget.ts';
import type { SectionSize } from './contract.ts';
import { renderMemory } from './entry.ts';
import type { Entry, Section } from './section.ts';

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
  readonly sections: readonly SectionSize[];
}

/** Name of the section that comes out of the budget before all others. */
const FIRST_SECTION = 'identity';
/**
 * Which sections get what the shares leave over, and keep a line the longest where not all find room: what the agent must
 * do comes before how it works, what it knows and what happened. Those of plugins come last.
 */
const SHRINK_LAST = [
  FIRST_SECTION,
  'drift-check',
  'user_upcoming',
  'upcoming',
  'user_working',
  'working',
  'user_conversation',
  'conversation',
  'relationship',
  'operations',
  'user_semantic',
  'semantic',
  'user_episodic',
  'episodic',
];
// Shares of the budget that what is pinned may take: the smallest that holds all of it, in fewer words if need be.
const PINNED_SHARES = [0.2, 0.3, 0.4, 0.5];

// Code points of a memory that the account of a section tells.
const EXCERPT = 120;

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
 * Renders sections within a token budget: header and session first, then what is pinned, then who the agent is, then what
 * is important, then the others by weight. Lines at column 0 are the service's own; text of memories stands behind `- [`
 * or `  > `.
 */
export function renderInjection(draft: Draft): Injection {
  const sections = draft.sections.filter(({ entries, omitted = 0 }) => entries.length > 0 || omitted > 0);
  const session = renderWhole(draft.session);
  const first = sections.filter(({ name }) => name === FIRST_SECTION);
  const others = sections.filter(({ name }) => name !== FIRST_SECTION).sort(byShrinking);

  let left = draft.tokenBudget - countTokens(draft.header) - countTokens(session);
  // Room to name the sections that get none.
  const reserve = countTokens(missingLine(others));
  const fillings = new Map<Section, Filling>();
  const bidders = others.map((section) => {
    const candidates = candidatesOf(section, draft.truncateAt);
    const overhead = overheadOf(section);
    const taken = fillPinned(
      candidates,
      PINNED_SHARES.map((share) => left * share - overhead),
    );
    left -= costOf(taken, overhead);
    return { weight: section.weight ?? 1, overhead, candidates, taken };
  });
  for (const section of first) {
    const candidates = candidatesOf(section, draft.truncateAt);
    const overhead = overheadOf(section);
    const modestly = fillConfirmedFirst(candidates, left - reserve - overhead);
    const taken = modestly.size > 0 ? modestly : fillConfirmedFirst(candidates, left - overhead);
    fillings.set(section, { section, taken: toShownOrder(section, taken) });
    left -= costOf(taken, overhead);
  }
  const freely = fill(bidders, left);
  const filled = freely.every(({ size }) => size > 0) ? freely : fill(bidders, left - reserve);
  for (const [index, section] of others.entries()) {
    fillings.set(section, { section, taken: toShownOrder(section, filled[index] ?? new Map()) });
  }
  const ordered = sections.flatMap((section) => fillings.get(section) ?? []);
  return assemble(draft, ordered, session);
}

function byShrinking(one: Section, other: Section): number {
  const place = ({ name }: Section) =>
    SHRINK_LAST.includes(name) ? SHRINK_LAST.indexOf(name) : SHRINK_LAST.length;
  return place(one) - place(other);
}

/** Gives pinned candidates their places, in the first of these budgets that holds all of them; by their index. */
function fillPinned(
  candidates: readonly PlacedCandidate[],
  budgets: readonly number[],
): ReadonlyMap<number, Block> {
  const all = candidates.filter(({ pinned }) => pinned).length;
  const tried = budgets.map((budget) => fillSome(candidates, ({ pinned }) => pinned, Math.floor(budget)));
  return tried.find(({ size }) => size === all) ?? tried.at(-1) ?? new Map<number, Block>();
}

/**
 * Gives what the human has not confirmed only what the other candidates leave, so that it cannot cut these short; by their index.
 */
function fillConfirmedFirst(
  candidates: readonly PlacedCandidate[],
  budget: number,
): ReadonlyMap<number, Block> {
  const confirmed = fillSome(candidates, ({ unconfirmed }) => !unconfirmed, budget);
  const left = budget - costOf(confirmed, 0);
  return new Map([...confirmed, ...fillSome(candidates, ({ unconfirmed }) => unconfirmed, left)]);
}

/** Divides a budget evenly among some of the candidates; by their index among all. */
function fillSome(
  candidates: readonly PlacedCandidate[],
  belongs: (candidate: PlacedCandidate) => boolean,
  budget: number,
): ReadonlyMap<number, Block> {
  const some = [...candidates.entries()].filter(([, candidate]) => belongs(candidate));
  const filled = fillEvenly(
    some.map(([, candidate]) => candidate),
    budget,
  );
  return new Map([...filled].map(([index, block]) => [some[index]?.[0] ?? 0, block]));
}

function costOf(taken: ReadonlyMap<number, Block>, overhead: number): number {
  return [...taken.values()].reduce((sum, { tokens }) => sum + tokens, taken.size > 0 ? overhead : 0);
}

/** Puts the text together and counts it; should the parts add up to more than their sum, the last go. */
function assemble(draft: Draft, fillings: readonly Filling[], session: string): Injection {
  const droppable = [...fillings].sort((one, other) => byShrinking(other.section, one.section));
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
  const least = priorities(section)
    .filter((index) => taken.has(index))
    .at(-1);
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

function spentOn({ section, taken }: Filling): SectionSize {
  const blocks = [...taken.values()].reduce((sum, { tokens }) => sum + tokens, 0);
  return {
    name: section.name,
    title: oneLine(section.title),
    estimated_tokens: taken.size === 0 ? 0 : blocks + countTokens(titleOf(section)),
    shown: taken.size,
    omitted: section.entries.length - taken.size + (section.omitted ?? 0),
    entries: section.entries.flatMap(({ memory }, index) =>
      memory ? [{ id: memory.id, content: cutText(memory.content, EXCERPT), shown: taken.has(index) }] : [],
    ),
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

/** Places of a section's entries, those first that stay the longest. */
function priorities({ entries, keep }: Section): number[] {
  const places = [...entries.keys()];
  if (keep === 'last') places.reverse();
  const rankOf = (place: number) => entries[place]?.rank ?? 0;
  return places.sort((one, other) => rankOf(one) - rankOf(other));
}

interface PlacedCandidate extends Bid {
  readonly pinned: boolean;
  readonly unconfirmed: boolean;
}

/** A section's entries as candidates, the most important first. */
function candidatesOf(section: Section, truncateAt: number): PlacedCandidate[] {
  return priorities(section).flatMap((place) => {
    const entry = section.entries[place];
    if (!entry) return [];
    const { pinned = false, unconfirmed = false } = entry;
    return { ...candidateOf(entry, truncateAt), pinned, unconfirmed };
  });
}

/** What was taken by the order of importance, by the places in which it is shown. */
function toShownOrder(section: Section, taken: ReadonlyMap<number, Block>): Map<number, Block> {
  const places = priorities(section);
  return new Map([...taken].map(([index, block]) => [places[index] ?? index, block]));
}

function candidateOf(entry: Entry, truncateAt: number): Bid {
  const limit = entry.whole ? Number.POSITIVE_INFINITY : truncateAt;
  const blocks: Block[] = [];
  const wordings = wordingsOf(entry, limit);
  const fit = (tokens: number) => {
    for (const [index, wording] of wordings.entries()) {
      blocks[index] ??= toBlock(renderEntry(wording, limit));
      if (blocks[index].tokens <= tokens) return blocks[index];
    }
    return undefined;
  };
  return {
    score: entry.score,
    fit,
    // A cut of what has a shorter wording would leave less than that.
    cut: (tokens) => fit(tokens) ?? (entry.shorter ? undefined : cutToTokens(entry, limit, tokens)),
  };
}

/** An entry in full, without what it superseded, and in its shorter wordings, without those that `truncate_at` would cut. */
function wordingsOf(entry: Entry, limit: number): Entry[] {
  const { former, ...alone } = entry;
  const { shorter = [], memory, fullLength: _, ...rest } = alone;
  const all = [
    entry,
    ...(former === undefined ? [] : [alone]),
    ...shorter.map(
      (text): Entry => (memory ? { ...rest, memory: { ...memory, content: text } } : { ...rest, text }),
    ),
  ];
  const whole = all.filter((wording) => (wording.memory?.content.length ?? 0) <= limit);
  return whole.length > 0 ? whole : all.slice(-1);
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

function renderEntry(entry: Entry, truncateAt = Number.POSITIVE_INFINITY, brief = false): string {
  const { memory, text = '' } = entry;
  if (!memory) return text.endsWith('\n') ? text : `${text}\n`;
  return renderMemory(memory, entry, { truncateAt, brief });
}

function toBlock(text: string): Block {
  return { text, tokens: countTokens(text) };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
