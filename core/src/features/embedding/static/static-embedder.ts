import { mapInSlices } from '../../../kernel/runtime/event-loop.ts';
import { functionWords } from '../../../text/stop-words.ts';
import { wordFrequency } from '../../../text/word-frequency.ts';
import { type WordTable, wordTable } from '../../../text/word-table.ts';
import { splitWords } from '../../../text/words.ts';
import type { Calibration, MeasuredEmbedder } from '../embedder.ts';
import { addHashed } from './hashed-vector.ts';

/** Name of the static embedder's vectors. */
export const STATIC_MODEL = 'static:glove-100d';

/** SIF's `a`: words more frequent than this share of text count for less and less. */
const SMOOTHING = 1e-3;

/** Words looked at per text: a mean of some thousand words no longer changes. */
const MOST_WORDS = 4096;

/**
 * Means of word vectors lie close together: texts without anything in common reach 0.3, and even 0.75 is
 * no proof, so that the cosine supports the words more than it speaks for itself.
 */
const calibration: Calibration = { unrelated: 0.3, related: 0.75, trust: 0.15 };

/**
 * The offline embedder: a text's vector is the mean of its words' GloVe vectors, frequent words counting
 * less (smooth inverse frequency), with the directions common to all words removed beforehand. Words
 * outside the table are hashed by their character n-grams. English only in meaning; in other languages
 * its cosine says how many word parts two texts share.
 */
export function createStaticEmbedder(): MeasuredEmbedder {
  return {
    model: STATIC_MODEL,
    dimensions: 100,
    calibration,
    languages: ['en'],
    embed: async (texts, signal) => {
      const table = wordTable();
      return mapInSlices(texts, (text) => embedText(table, text), signal);
    },
  };
}

function embedText(table: WordTable, text: string): Float32Array {
  const sum = new Float64Array(table.dimensions);
  const words = splitWords(text)
    .filter((word) => word.kind !== 'verbatim')
    .slice(0, MOST_WORDS);
  const telling = words.filter((word) => !functionWords.has(word.text));
  for (const word of telling.length > 0 ? telling : words) {
    if (!addWord(table, sum, word.text)) addHashed(sum, word.text);
  }
  if (!normalise(sum)) {
    addHashed(sum, text);
    normalise(sum);
  }
  return new Float32Array(sum);
}

/** Adds a word's weighted vector to `sum`; false when the table does not hold it. */
function addWord(table: WordTable, sum: Float64Array, word: string): boolean {
  const row = table.rows.get(word);
  if (row === undefined) return false;
  const weight = SMOOTHING / (SMOOTHING + wordFrequency(row));
  const factor = weight * (table.scales[row] ?? 0);
  const start = row * table.dimensions;
  for (let k = 0; k < sum.length; k++) sum[k] = (sum[k] ?? 0) + factor * (table.values[start + k] ?? 0);
  return true;
}

/** Makes the vector unit-long; false when it has no length. */
function normalise(vector: Float64Array): boolean {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!(length > 1e-9)) return false;
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / length;
  return true;
}
