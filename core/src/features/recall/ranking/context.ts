import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import { endsAsking } from '../../../text/question.ts';
import { termOf } from '../../../text/terms.ts';
import { tellsWhen } from '../../../text/time/asks-when.ts';
import { CJK, fold } from '../../../text/words.ts';
import type { Scored } from './input.ts';
import { sumOf } from './lexical.ts';
import { byEvidence, NO_WORDS } from './score-candidates.ts';

/** `neighbourId` comes `distance` memories after `id` in the same session; before it when negative. */
export interface NeighbourLink {
  readonly id: string;
  readonly neighbourId: string;
  readonly distance: number;
}

/** The surroundings of the best scored memories. */
export interface RecallContext {
  /** Links between memories. Those without contents are ignored. */
  readonly links: readonly NeighbourLink[];
  /** Contents of the best memories and their neighbours by id. A missing memory is ranked without surroundings. */
  readonly contents: ReadonlyMap<string, string>;
}

/** Weight of a neighbour by its distance: a reply is closest to what it replies to. */
const NEARNESS: ReadonlyMap<number, number> = new Map([
  [-4, 0.35],
  [-3, 0.35],
  [-2, 0.4],
  [-1, 0.5],
  [1, 0.4],
  [2, 0.4],
  [3, 0.35],
  [4, 0.35],
]);
/** Share of a neighbour's evidence that a memory receives. */
const NEIGHBOUR_SHARE = 0.5;
/** Share of the neighbours' evidence from query words that the memory lacks: together they answer the query. */
const MISSING_WORDS_SHARE = 1.25;
/** Characters up to which a memory lends and borrows in full: a long reply is about much that its neighbours are not. */
const BRIEF = 360;
/** Added when the query asks for a time and the memory mentions one. */
const TELLS_WHEN = 0.1;
/** Added when the query names the memory's speaker. */
const SAID_BY_NAMED = 0.1;
/** Share of its evidence that a memory ending in a question keeps. */
const ASKING_KEEPS = 0.85;
/**
 * Characters of a turn that says something by itself, and the share of its own evidence that the briefest one keeps. In a chat nearly
 * half of the turns name whom a question is about, as their speaker: "Ana: on my way" does not answer what Ana did.
 */
const TELLING_TURN = 50;
const BRIEFEST_KEEPS = 0.4;
/** So many letters say what a character of Chinese, Japanese or Korean does. */
const LETTERS_OF_CJK = 3;
const HANGUL = /\p{sc=Hangul}/u;
const LETTERS_OF_HANGUL = 2;
/** Added when the memory quotes the whole query, or equals it. */
const QUOTES_QUERY = 0.6;
const IS_QUERY = 1.5;
/** Shortest query, in characters, whose quotation counts. */
const SHORTEST_QUOTE = 12;
/** Least share of the query's words that a quoting memory matches. */
const LEAST_OF_A_QUOTE = 0.5;
/** Characters at the start of a memory in which a time is looked for. */
const READ_FOR_TIME = 4000;

const LABEL = /^\s{0,8}(\p{L}[\p{L}\p{N} ._-]{0,40}):\s/u;
/** A label ends within this many characters. Looking for its colon first is faster than the expression. */
const LABEL_ENDS = 50;
const READ_FOR_ENDING = 16;
/** Characters at the start of a memory that show its script. */
const READ_FOR_SCRIPT = 100;

/** A memory with known surroundings, while its evidence is added up. */
interface Weighed {
  readonly id: string;
  readonly words: readonly number[];
  readonly content: string;
  readonly label: string | undefined;
  /** 1 for a brief memory, towards 0 for a long one. */
  readonly brevity: number;
  /** Its own. */
  evidence: number;
  /** Share of all its evidence that it keeps. */
  keeps: number;
  /** Share of its own evidence that it keeps, beside what neighbours lend. */
  ownKeeps: number;
  /** The largest evidence that a neighbour lends. */
  besides: number;
  /** The same for each query word; undefined while no neighbour has any. */
  wordsBeside: number[] | undefined;
}

/**
 * Adds evidence from the surroundings and the content: neighbours in the same session, the speaker, a time, a question. This
 * is how neighbours of the best memories enter the results.
 * @returns best first; at least all of `own`
 */
export function rankInContext(
  query: AnalyzedQuery,
  own: readonly Scored[],
  { contents, links }: RecallContext,
): Scored[] {
  const memories = new Map<string, Weighed>();
  const others: Scored[] = [];
  for (const scored of own) {
    const content = contents.get(scored.id);
    if (content === undefined) others.push(scored);
    else memories.set(scored.id, weighed(scored, content));
  }
  for (const [id, content] of contents) {
    if (!memories.has(id)) memories.set(id, weighed({ id, evidence: 0, words: NO_WORDS }, content));
  }
  const speakers = repeatedLabels(memories.values());
  for (const memory of memories.values()) addContent(memory, query, speakers);
  for (const { id, neighbourId, distance } of links) {
    const memory = memories.get(id);
    const neighbour = memories.get(neighbourId);
    if (!memory || !neighbour) continue;
    // A link speaks for both its ends.
    lend(memory, neighbour, distance);
    lend(neighbour, memory, -distance);
  }
  for (const memory of memories.values()) others.push(total(memory));
  return others.sort(byEvidence);
}

/** A memory with its own evidence, before anything is added to it. */
function weighed({ id, evidence, words }: Scored, content: string): Weighed {
  return {
    id,
    words,
    content,
    label: labelOf(content),
    brevity: Math.min(1, BRIEF / lettersIn(content)),
    evidence,
    keeps: 1,
    ownKeeps: 1,
    besides: 0,
    wordsBeside: undefined,
  };
}

/** Adds what the content of a memory tells beside its words. */
function addContent(memory: Weighed, query: AnalyzedQuery, speakers: ReadonlySet<string>): void {
  const { content, label, words } = memory;
  const quoted = quoteEvidence(query, content, words);
  memory.evidence += contentEvidence(query, content, label) + quoted;
  if (quoted === 0 && label !== undefined && speakers.has(label)) memory.ownKeeps = keptByTurn(content);
  if (endsAsking(content.slice(-READ_FOR_ENDING))) memory.keeps = ASKING_KEEPS;
}

/** Lends a neighbour's evidence to a memory. */
function lend(memory: Weighed, neighbour: Weighed, distance: number): void {
  const nearness = (NEARNESS.get(distance) ?? 0) * memory.brevity * neighbour.brevity;
  if (nearness === 0) return;
  memory.besides = Math.max(memory.besides, nearness * neighbour.evidence);
  if (neighbour.words.length === 0) return;
  memory.wordsBeside ??= new Array<number>(neighbour.words.length).fill(0);
  const most = memory.wordsBeside;
  for (let word = 0; word < most.length; word += 1) {
    most[word] = Math.max(most[word] ?? 0, nearness * (neighbour.words[word] ?? 0));
  }
}

/** The total evidence of a memory: its own, its best neighbour's share, and query words that only neighbours have. */
function total({ id, words, evidence, keeps, ownKeeps, besides, wordsBeside }: Weighed): Scored {
  let missing = 0;
  for (let word = 0; wordsBeside && word < wordsBeside.length; word += 1) {
    if (!((words[word] ?? 0) > 0)) missing += wordsBeside[word] ?? 0;
  }
  const gain = NEIGHBOUR_SHARE * besides + MISSING_WORDS_SHARE * missing;
  return { id, evidence: keeps * (ownKeeps * evidence + gain), words };
}

function contentEvidence(query: AnalyzedQuery, content: string, label: string | undefined): number {
  let evidence = 0;
  if (query.asksWhen && tellsWhen(content.slice(0, READ_FOR_TIME), query.text, query.language))
    evidence += TELLS_WHEN;
  if (label !== undefined && namesSpeaker(query, label)) evidence += SAID_BY_NAMED;
  return evidence;
}

/** Whether a query names who said a memory: by the word itself, by another case of it, or within a text without spaces. */
function namesSpeaker({ names, text, language }: AnalyzedQuery, label: string): boolean {
  if (names.has(label)) return true;
  if (CJK.test(label)) return label.length > 1 && text.includes(label);
  return names.has(termOf({ text: label, kind: 'word' }, language));
}

/** The first word of what a memory begins with before a colon, folded: mostly the name of who says the rest. */
function labelOf(content: string): string | undefined {
  const label = content.lastIndexOf(':', LABEL_ENDS) < 0 ? undefined : LABEL.exec(content)?.[1];
  return label === undefined ? undefined : fold(label).split(' ')[0];
}

/** Labels that stand more than once are speakers: "Port: 8443" is a fact. */
function repeatedLabels(memories: Iterable<Weighed>): ReadonlySet<string> {
  const seen = new Set<string>();
  const more = new Set<string>();
  for (const { label } of memories) if (label !== undefined) (seen.has(label) ? more : seen).add(label);
  return more;
}

/** The share of its own evidence that a turn of a chat keeps. What its neighbours lend counts in full, so that a brief answer is found. */
function keptByTurn(content: string): number {
  if (content.length >= TELLING_TURN) return 1;
  return Math.min(1, BRIEFEST_KEEPS + (1 - BRIEFEST_KEEPS) * (lettersIn(content) / TELLING_TURN));
}

/** Length of a text in letters, as if it were said in a script of letters. */
function lettersIn(content: string): number {
  const start = content.slice(0, READ_FOR_SCRIPT);
  if (!CJK.test(start)) return content.length;
  return content.length * (HANGUL.test(start) ? LETTERS_OF_HANGUL : LETTERS_OF_CJK);
}

/** Evidence of a quotation. Contents may be long, so the matched words decide first whether to compare texts. */
function quoteEvidence(query: AnalyzedQuery, content: string, words: readonly number[]): number {
  if (query.terms.length > 0 && sumOf(words) < LEAST_OF_A_QUOTE) return 0;
  const text = fold(content.trim());
  if (text === query.text) return IS_QUERY;
  return query.text.length >= SHORTEST_QUOTE && text.includes(query.text) ? QUOTES_QUERY : 0;
}
