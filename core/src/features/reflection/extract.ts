import { mapInSlices, yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { endsAsking } from '../../text/question.ts';
import { segmenterOf } from '../../text/segmenter.ts';
import { isFunctionWord } from '../../text/stop-words.ts';
import { commonnessOf, termOf } from '../../text/terms.ts';
import { cutText } from '../../text/truncate.ts';
import { splitWords } from '../../text/words.ts';

/** What one episode says, in pieces that can stand alone. */
export interface Sentence {
  /** Place of the episode among those given. */
  readonly episode: number;
  /** Who says it, where the episode begins with a name and a colon. */
  readonly speaker: string;
  readonly text: string;
}

const LABEL = /^[^\p{L}\p{N}\n]{0,8}(\p{L}[\p{L}\p{N} ._-]{0,40}):\s+/u;
const LONGEST = 280;
const LEAST_LETTERS = 8;
/** UTF-16 code units of an episode that are read. */
export const MOST_READ = 8_000;

/** Splits episodes into sentences, in order; long ones are cut, and those too short to say anything are left out. */
export async function splitSentences(contents: readonly string[]): Promise<Sentence[]> {
  const sentences = segmenterOf('en', 'sentence');
  const all = await mapInSlices(contents, (content, episode) => {
    const label = LABEL.exec(content);
    const speaker = label?.[1]?.trim() ?? '';
    const said = content.slice(label?.[0].length ?? 0, MOST_READ);
    return said.split(/\n+/).flatMap((line) =>
      [...sentences.segment(line)].flatMap(({ segment }) => {
        const whole = segment.replace(/\s+/g, ' ').trim();
        const text = whole.length > LONGEST ? `${cutText(whole, LONGEST)}…` : whole;
        const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
        return letters < LEAST_LETTERS ? [] : [{ episode, speaker, text }];
      }),
    );
  });
  return all.flat();
}

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
  const words = splitWords(text).filter((word) => !isFunctionWord(word));
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
