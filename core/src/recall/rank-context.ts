import type { AnalyzedQuery } from './analyze.ts';
import { fold } from './analyze-words.ts';
import { byEvidence, NO_WORDS, type Scored } from './rank.ts';

/** Says that `neighbourId` stands `distance` places after (negative: before) `id` in the same session. */
export interface NeighbourLink {
  readonly id: string;
  readonly neighbourId: string;
  readonly distance: number;
}

/** What is known around the best of the first scoring. */
export interface RecallContext {
  readonly links: readonly NeighbourLink[];
  /** Contents of the best and of their neighbours by id; a memory left out is judged without. */
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
const ENDS_ASKING = /[?？]["'”’)\s]*$/;
const READ_FOR_ENDING = 16;

/**
 * Adds what only the surroundings and the content tell: the evidence of neighbours in the same session, who
 * speaks, whether it tells a time, whether it only asks. Neighbours of the best enter the results by it.
 * @returns best first; at least all of `own`
 */
export function rankInContext(
  query: AnalyzedQuery,
  own: readonly Scored[],
  context: RecallContext,
): Scored[] {
  const memories = new Map(own.map((memory) => [memory.id, memory]));
  for (const [id, content] of context.contents) {
    const { evidence, words } = memories.get(id) ?? { evidence: 0, words: NO_WORDS };
    const told = contentEvidence(query, content) + quoteEvidence(query, content, words);
    memories.set(id, { id, evidence: evidence + told, words });
  }
  const around = neighboursOf(memories, context.links);
  return [...memories.values()]
    .map(({ id, evidence, words }) => {
      const content = context.contents.get(id);
      const kept =
        content !== undefined && ENDS_ASKING.test(content.slice(-READ_FOR_ENDING)) ? ASKING_KEEPS : 1;
      const neighbours = around.get(id);
      const gain = neighbours ? neighbourGain(words, neighbours) : 0;
      return { id, evidence: kept * (evidence + gain), words };
    })
    .sort(byEvidence);
}

function contentEvidence(query: AnalyzedQuery, content: string): number {
  let sum = 0;
  if (query.asksWhen && TIME_WORDS.test(content.slice(0, READ_FOR_TIME))) sum += TELLS_WHEN;
  const label = LABEL.exec(content)?.[1];
  if (label !== undefined && query.names.has(fold(label).split(' ')[0] ?? '')) sum += SAID_BY_NAMED;
  return sum;
}

/** The words matched decide first whether to compare texts at all: contents may be long. */
function quoteEvidence(query: AnalyzedQuery, content: string, words: readonly number[]): number {
  const matched = words.reduce((sum, word) => sum + word, 0);
  if (query.terms.length > 0 && matched < LEAST_OF_A_QUOTE) return 0;
  const text = fold(content.trim());
  if (text === query.text) return IS_QUERY;
  return query.text.length >= SHORTEST_QUOTE && text.includes(query.text) ? QUOTES_QUERY : 0;
}

interface Neighbour {
  readonly memory: Scored;
  readonly nearness: number;
}

/** Each memory's neighbours; a link speaks for both its ends. */
function neighboursOf(
  memories: ReadonlyMap<string, Scored>,
  links: readonly NeighbourLink[],
): ReadonlyMap<string, readonly Neighbour[]> {
  const around = new Map<string, Neighbour[]>();
  const add = (id: string, neighbourId: string, place: number) => {
    const memory = memories.get(neighbourId);
    const nearness = NEARNESS.get(place);
    if (memory === undefined || nearness === undefined) return;
    const known = around.get(id);
    if (known === undefined) around.set(id, [{ memory, nearness }]);
    else known.push({ memory, nearness });
  };
  for (const { id, neighbourId, distance } of links) {
    add(id, neighbourId, distance);
    add(neighbourId, id, -distance);
  }
  return around;
}

/** What the best neighbour adds, and what the neighbours add by words of the query that the memory lacks. */
function neighbourGain(words: readonly number[], neighbours: readonly Neighbour[]): number {
  let best = 0;
  let places = 0;
  for (const { memory, nearness } of neighbours) {
    best = Math.max(best, nearness * memory.evidence);
    places = Math.max(places, memory.words.length);
  }
  let missing = 0;
  for (let place = 0; place < places; place += 1) {
    if ((words[place] ?? 0) > 0) continue;
    let most = 0;
    for (const { memory, nearness } of neighbours)
      most = Math.max(most, nearness * (memory.words[place] ?? 0));
    missing += most;
  }
  return NEIGHBOUR_SHARE * best + MISSING_WORDS_SHARE * missing;
}
