import type { AnalyzedQuery } from './analyze.ts';
import { fold } from './analyze-words.ts';
import { byEvidence, NO_WORDS, type Scored, sum } from './rank.ts';

/** Says that `neighbourId` stands `distance` places after (negative: before) `id` in the same session. */
export interface NeighbourLink {
  readonly id: string;
  readonly neighbourId: string;
  readonly distance: number;
}

/** What is known around the best of the first scoring. */
export interface RecallContext {
  /** Between memories whose contents are known; others are passed over. */
  readonly links: readonly NeighbourLink[];
  /** Contents of the best and of their neighbours by id; a memory left out is judged without surroundings. */
  readonly contents: ReadonlyMap<string, string>;
}

/** How near a neighbour's place is to the memory: a reply stands closest to what it replies to. */
const NEARNESS: ReadonlyMap<number, number> = new Map([
  [-2, 0.4],
  [-1, 0.5],
  [1, 0.4],
  [2, 0.4],
]);
/** Share of all a neighbour's evidence that a memory gets. */
const NEIGHBOUR_SHARE = 0.5;
/** Share of the neighbours' evidence from words that the memory itself lacks: together they answer the query. */
const MISSING_WORDS_SHARE = 1.25;
/** Speaking of time adds this when the query asks when something was. */
const TELLS_WHEN = 0.1;
/** Being said by whom the query names adds this. */
const SAID_BY_NAMED = 0.1;
/** What a memory that ends in a question keeps: it rather asks than tells. */
const ASKING_KEEPS = 0.85;
/** Holding the whole query word for word, or being nothing else, adds this. */
const QUOTES_QUERY = 0.6;
const IS_QUERY = 1.5;
/** Shortest query, in characters, whose wording as such means something. */
const SHORTEST_QUOTE = 12;
/** Only a memory that matches this share of the query's words can hold it word for word. */
const LEAST_OF_A_QUOTE = 0.5;
/** Characters read of a memory, from its start, to see whether it tells a time. */
const READ_FOR_TIME = 4000;

const TIME_WORDS =
  /\b(yesterday|today|tonight|tomorrow|ago|weekend|weeks?|months?|years?|morning|last|next|recently|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|(19|20)\d\d)\b/i;
const LABEL = /^\s{0,8}(\p{L}[\p{L}\p{N} ._-]{0,40}):\s/u;
/** Characters within which it ends: to look there first takes less than the expression. */
const LABEL_ENDS = 50;
const ENDS_ASKING = /[?？]["'”’)\s]*$/;
const READ_FOR_ENDING = 16;

/** A memory whose surroundings are known, while it is weighed. */
interface Weighed {
  readonly id: string;
  readonly words: readonly number[];
  /** Its own. */
  evidence: number;
  /** The share of all its evidence that it keeps. */
  keeps: number;
  /** The most that a neighbour's evidence comes to here. */
  besides: number;
  /** The same for each of the query's words; undefined while no neighbour holds any. */
  wordsBeside: number[] | undefined;
}

/**
 * Adds what only the surroundings and the content tell: the evidence of neighbours in the same session, who
 * speaks, whether it tells a time, whether it only asks. Neighbours of the best enter the results by it.
 * @returns best first; at least all of `own`
 */
export function rankInContext(
  query: AnalyzedQuery,
  own: readonly Scored[],
  { contents, links }: RecallContext,
): Scored[] {
  const memories = new Map<string, Weighed>();
  const add = (id: string, evidence: number, words: readonly number[]): Weighed => {
    const memory = { id, words, evidence, keeps: 1, besides: 0, wordsBeside: undefined };
    memories.set(id, memory);
    return memory;
  };
  const others: Scored[] = [];
  for (const scored of own) {
    if (contents.has(scored.id)) add(scored.id, scored.evidence, scored.words);
    else others.push(scored);
  }
  contents.forEach((content, id) => {
    const memory = memories.get(id) ?? add(id, 0, NO_WORDS);
    memory.evidence += contentEvidence(query, content) + quoteEvidence(query, content, memory.words);
    if (ENDS_ASKING.test(content.slice(-READ_FOR_ENDING))) memory.keeps = ASKING_KEEPS;
  });
  for (const { id, neighbourId, distance } of links) {
    const memory = memories.get(id);
    const neighbour = memories.get(neighbourId);
    if (!memory || !neighbour) continue;
    // A link speaks for both its ends.
    lend(memory, neighbour, distance);
    lend(neighbour, memory, -distance);
  }
  memories.forEach((memory) => {
    others.push(total(memory));
  });
  return others.sort(byEvidence);
}

/** Lets a memory have what its neighbour at such a distance can give. */
function lend(memory: Weighed, neighbour: Weighed, distance: number): void {
  const nearness = NEARNESS.get(distance);
  if (nearness === undefined) return;
  memory.besides = Math.max(memory.besides, nearness * neighbour.evidence);
  if (neighbour.words.length === 0) return;
  memory.wordsBeside ??= new Array<number>(neighbour.words.length).fill(0);
  const most = memory.wordsBeside;
  for (let word = 0; word < most.length; word += 1) {
    most[word] = Math.max(most[word] ?? 0, nearness * (neighbour.words[word] ?? 0));
  }
}

/** All that speaks for a memory: its own, what the best neighbour adds, and words of the query that only neighbours have. */
function total({ id, words, evidence, keeps, besides, wordsBeside }: Weighed): Scored {
  let missing = 0;
  for (let word = 0; wordsBeside && word < wordsBeside.length; word += 1) {
    if (!((words[word] ?? 0) > 0)) missing += wordsBeside[word] ?? 0;
  }
  const gain = NEIGHBOUR_SHARE * besides + MISSING_WORDS_SHARE * missing;
  return { id, evidence: keeps * (evidence + gain), words };
}

function contentEvidence(query: AnalyzedQuery, content: string): number {
  let evidence = 0;
  if (query.asksWhen && TIME_WORDS.test(content.slice(0, READ_FOR_TIME))) evidence += TELLS_WHEN;
  const label = content.lastIndexOf(':', LABEL_ENDS) < 0 ? undefined : LABEL.exec(content)?.[1];
  if (label !== undefined && query.names.has(fold(label).split(' ')[0] ?? '')) evidence += SAID_BY_NAMED;
  return evidence;
}

/** The words matched decide first whether to compare texts at all: contents may be long. */
function quoteEvidence(query: AnalyzedQuery, content: string, words: readonly number[]): number {
  if (query.terms.length > 0 && sum(words) < LEAST_OF_A_QUOTE) return 0;
  const text = fold(content.trim());
  if (text === query.text) return IS_QUERY;
  return query.text.length >= SHORTEST_QUOTE && text.includes(query.text) ? QUOTES_QUERY : 0;
}
