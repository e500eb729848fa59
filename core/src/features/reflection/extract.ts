import { mapInSlices, yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { endsAsking } from '../../text/question-mark.ts';
import { functionWords } from '../../text/stop-words.ts';
import { commonnessOf, termOf } from '../../text/terms.ts';
import { splitWords } from '../../text/words.ts';
import type { Sentence } from './sentences.ts';

/** A question asks; what it is about stands in the answer. */
const QUESTION_KEEPS = 0.35;
/** How dear a sentence's length is: 1 would favour fragments, 0 the longest. */
const LENGTH_EXPONENT = 0.75;
/** Characters a sentence costs beside its own. */
const OVERHEAD = 12;
/** What is said again counts less each time. */
const REPEATED_KEEPS = 0.1;

/**
 * Chooses the sentences that together say the most within a number of characters: each word counts by how rare it is
 * in general and how much the episodes speak of it, and hardly counts again.
 *
 * @returns the chosen sentences, in their order
 */
export async function extractSentences(all: readonly Sentence[], characters: number): Promise<Sentence[]> {
  const terms = await mapInSlices(all, ({ text }) => tellingTerms(text));
  const weights = weigh(terms);
  const chosen = new Set<number>();
  const said = new Map<string, number>();
  const gainOf = (index: number, text: string) => {
    let value = 0;
    for (const term of terms[index]?.keys() ?? []) {
      value += (weights.get(term) ?? 0) * REPEATED_KEEPS ** (said.get(term) ?? 0);
    }
    return (value * (endsAsking(text) ? QUESTION_KEEPS : 1)) / priceOf(text) ** LENGTH_EXPONENT;
  };
  for (let left = characters; ; ) {
    await yieldToEventLoop();
    const fitting = [...all.entries()].filter(
      ([index, { text }]) => !chosen.has(index) && priceOf(text) <= left,
    );
    const gains = fitting.map(([index, { text }]) => gainOf(index, text));
    const best = fitting[gains.indexOf(Math.max(...gains))];
    if (!best || Math.max(...gains) <= 0) break;
    const [index, { text }] = best;
    chosen.add(index);
    left -= priceOf(text);
    for (const term of terms[index]?.keys() ?? []) said.set(term, (said.get(term) ?? 0) + 1);
  }
  return all.filter((_, index) => chosen.has(index));
}

function priceOf(text: string): number {
  return text.length + OVERHEAD;
}

/** The distinct words of a text that tell something, with the share of texts in general that hold them. */
export function tellingTerms(text: string): Map<string, number> {
  const words = splitWords(text).filter((word) => !functionWords.has(word.text));
  return new Map(words.map((word) => [termOf(word), commonnessOf(word)]));
}

/** Words that are rare in general and frequent here say what the episodes are about. */
function weigh(terms: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const weights = new Map<string, number>();
  const frequencies = new Map<string, number>();
  for (const found of terms) {
    for (const [term, commonness] of found) {
      frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
      weights.set(term, -Math.log(commonness));
    }
  }
  for (const [term, frequency] of frequencies) {
    weights.set(term, (weights.get(term) ?? 0) * (1 + Math.log(frequency)));
  }
  return weights;
}
