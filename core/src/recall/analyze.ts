import { focusOf } from './analyze-focus.ts';
import { functionWords, isStopWord } from './analyze-stop-words.ts';
import { commonnessOf, synonymsOf, termOf, trigramsOf } from './analyze-terms.ts';
import { fold, splitWords, type Word } from './analyze-words.ts';
import { type Period, readTimeExpression } from './time-expression.ts';

/** What the lexical index keeps of a memory. */
export interface DocumentTerms {
  /** Term → how often it occurs. At most 2,000 terms of at most 64 characters each. */
  readonly terms: ReadonlyMap<string, number>;
  /** Number of words in the text, for BM25's length normalisation. */
  readonly length: number;
}

/** One term to look up for a query. */
interface QueryTerm {
  readonly term: string;
  /** Place of the word this term stands for, 0 being the most informative; terms of one word are alternatives. */
  readonly word: number;
  /** How much a match of this term tells about its word, 0 to 1. */
  readonly weight: number;
  /** Share of memories in general that are expected to hold the term: the prior of its idf. */
  readonly commonness: number;
  /** Whether the term is the word itself, not one of its trigrams. */
  readonly whole: boolean;
}

/** A query as recall uses it. */
export interface AnalyzedQuery {
  /** Distinct terms, most informative first, at most 64. */
  readonly terms: readonly QueryTerm[];
  /** The time the query speaks of ("last week", "in May"), if any. */
  readonly period?: Period;
  /** Whether the query asks for what is newest ("latest", "currently"). */
  readonly newest: boolean;
  /** Whether the query asks when something was or will be. */
  readonly asksWhen: boolean;
  /** The part of the query to embed: what a long message asks, else the query itself. */
  readonly focus: string;
  /** The query's words as written, lower-cased: whom it may name. */
  readonly names: ReadonlySet<string>;
  /** The whole query, folded, to be found word for word. */
  readonly text: string;
}

const ASKS_WHEN = /\bwhen\b|\b(what|which) (day|date|month|year)\b|\bhow long\b/i;
const MOST_DOCUMENT_TERMS = 2000;
/** Trigram terms of one memory: enough for every word of a short one, a small share of a long one's rows. */
const MOST_DOCUMENT_TRIGRAMS = 160;
const MOST_QUERY_TERMS = 64;
/** Words of a query that are looked at: beyond, they cannot come among the 64 terms in any sensible way. */
const MOST_QUERY_WORDS = 512;
/**
 * A query's most informative words count in full, further ones ever less: a whole message as the query is
 * answered by a memory that meets its core, not by one that shares its small talk.
 */
const FULL_WORDS = 8;
/** What a word counts that stands beside the question of a long message. */
const BESIDE_WEIGHT = 0.2;
/** What a single Han character counts beside the pairs it stands in. */
const CHARACTER_WEIGHT = 0.4;
/** All trigrams of a word together tell less than the word. */
const TRIGRAM_WEIGHT = 0.7;
/** A word that is used for the same tells less than the very word. */
const SYNONYM_WEIGHT = 0.6;
/** Trigrams are shared by many words. */
const TRIGRAM_COMMONNESS = 0.01;

/**
 * Splits a memory's content into the terms of the lexical index: stems of words, numbers, identifiers as
 * written and in parts, character pairs of scripts without spaces, trigrams of words outside the word table.
 */
export function analyzeDocument(text: string): DocumentTerms {
  const words = splitWords(text);
  const telling = words.filter((word) => !functionWords.has(word.text));
  const terms = new Map<string, number>();
  const unknown = new Set<string>();
  let trigrams = 0;
  for (const word of telling.length > 0 ? telling : words) {
    count(terms, termOf(word));
    if (trigrams >= MOST_DOCUMENT_TRIGRAMS || unknown.has(word.text)) continue;
    for (const trigram of trigramsOf(word)) {
      unknown.add(word.text);
      trigrams++;
      count(terms, trigram);
    }
  }
  return { terms, length: words.length };
}

/**
 * Reads a query: the terms to look up, most informative first, and what it says about time.
 * @param now what "last week" is relative to
 */
export function analyzeQuery(query: string, now: Date): AnalyzedQuery {
  const focus = focusOf(query);
  const asked = distinct(splitWords(focus)).slice(0, MOST_QUERY_WORDS);
  const words =
    focus === query ? asked : distinct([...asked, ...splitWords(query)]).slice(0, MOST_QUERY_WORDS);
  const inFocus = new Set(asked.map((word) => word.text));
  const terms = queryWords(words)
    .map((word) => ({
      word,
      weight: (inFocus.has(word.text) ? 1 : BESIDE_WEIGHT) * (isCharacter(word) ? CHARACTER_WEIGHT : 1),
      commonness: commonnessOf(word),
    }))
    .sort((a, b) => b.weight - a.weight || a.commonness - b.commonness)
    .flatMap(queryTerms)
    .sort((a, b) => informativeness(b) - informativeness(a));
  return {
    terms: distinctTerms(terms).slice(0, MOST_QUERY_TERMS),
    ...readTimeExpression(query, now),
    focus,
    asksWhen: ASKS_WHEN.test(query),
    names: new Set(words.map((word) => word.text)),
    text: fold(query.trim()),
  };
}

/** The words worth looking up: neither function nor question words, unless there are no others. */
function queryWords(words: readonly Word[]): readonly Word[] {
  const asked = words.filter((word) => !isStopWord(word));
  const content = words.filter((word) => !functionWords.has(word.text));
  return [asked, content, words].find((choice) => choice.length > 0) ?? [];
}

function isCharacter({ text, kind }: Word): boolean {
  return kind === 'gram' && text.length === 1;
}

interface WeighedWord {
  readonly word: Word;
  readonly weight: number;
  readonly commonness: number;
}

/** The terms of the query's word of the given place, the most informative word being the first. */
function queryTerms({ word, weight: of, commonness }: WeighedWord, index: number): QueryTerm[] {
  const share = of * Math.min(1, (FULL_WORDS / (index + 1)) ** 2);
  const whole = { term: termOf(word), word: index, weight: share, commonness, whole: true };
  const trigrams = trigramsOf(word);
  const weight = (share * TRIGRAM_WEIGHT) / Math.max(1, trigrams.length);
  const synonyms = synonymsOf(word).map((synonym) => ({
    term: termOf(synonym),
    word: index,
    weight: share * SYNONYM_WEIGHT,
    commonness: commonnessOf(synonym),
    whole: false,
  }));
  return [
    whole,
    ...synonyms,
    ...trigrams.map((term) => ({ term, word: index, weight, commonness: TRIGRAM_COMMONNESS, whole: false })),
  ];
}

function informativeness(term: QueryTerm): number {
  return term.weight * -Math.log(term.commonness);
}

function distinct(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.text, word])).values()];
}

function distinctTerms(terms: readonly QueryTerm[]): QueryTerm[] {
  const seen = new Set<string>();
  return terms.filter(({ term }) => !seen.has(term) && seen.add(term));
}

function count(terms: Map<string, number>, term: string): void {
  const known = terms.get(term);
  if (known !== undefined) terms.set(term, known + 1);
  else if (terms.size < MOST_DOCUMENT_TERMS) terms.set(term, 1);
}
