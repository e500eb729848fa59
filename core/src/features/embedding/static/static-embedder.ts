import { mapInSlices } from '../../../kernel/runtime/event-loop.ts';
import { tellingWords } from '../../../text/telling-words.ts';
import { type WordTable, wordFrequency, wordTable } from '../../../text/word-table.ts';
import type { Calibration, MeasuredEmbedder } from '../embedder.ts';

/** Name of the static embedder's vectors. */
export const STATIC_MODEL = 'static:use-lite-100d';

/** SIF's `a`: words more frequent than this share of text count for less and less. */
const SMOOTHING = 1e-3;

/**
 * Means of word vectors lie close together: texts without anything in common reach 0.35, and even 0.75 is
 * no proof, so that the cosine supports the words more than it speaks for itself.
 */
const calibration: Calibration = { unrelated: 0.35, related: 0.75, trust: 0.15 };

/**
 * The offline embedder: a text's vector is the mean of its words' vectors, frequent words counting less (smooth inverse
 * frequency). The vectors are distilled from a sentence encoder, so that their means come near to what it makes of sentences.
 * Words outside the table are hashed by their character n-grams. English only in meaning; in other languages its cosine says
 * how many word parts two texts share.
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

/** What the word of a row, its frequency rank, counts in a mean: 1 for rare words, towards 0 for frequent ones. */
export function wordWeight(row: number): number {
  return SMOOTHING / (SMOOTHING + wordFrequency(row));
}

function embedText(table: WordTable, text: string): Float32Array {
  const sum = new Float64Array(table.dimensions);
  for (const word of tellingWords(text)) {
    if (!addWord(table, sum, word)) addHashed(sum, word);
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
  const factor = wordWeight(row) * (table.scales[row] ?? 0);
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

/** About the length of an average word vector of the table, so that an unknown word weighs like a known one. */
const WORD_LENGTH = 4;

/** N-grams hashed per word; longer ones are cut, an endless "word" must not cost endless time. */
const MOST_GRAMS = 128;

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * Adds the vector of a word outside the table: the sum of one pseudo-random vector for the word and for
 * each of its character trigrams, so that "Kubernetes" and "kubernetes-cluster" or "Anforderung" and
 * "Anforderungen" come out alike, and different words nearly at right angles.
 */
function addHashed(sum: Float64Array, word: string): void {
  const grams = trigrams(word);
  const vector = new Float64Array(sum.length);
  for (const gram of grams) addRandom(vector, hash(gram));
  // Random vectors of unit variance add up to a length of about sqrt(grams * dimensions).
  const factor = WORD_LENGTH / Math.sqrt(grams.length * sum.length);
  for (let k = 0; k < sum.length; k++) sum[k] = (sum[k] ?? 0) + factor * (vector[k] ?? 0);
}

function trigrams(word: string): string[] {
  const characters = Array.from(`<${word.slice(0, MOST_GRAMS)}>`);
  const grams = [word.slice(0, MOST_GRAMS)];
  for (let i = 0; i + 3 <= characters.length && grams.length < MOST_GRAMS; i++) {
    grams.push(characters.slice(i, i + 3).join(''));
  }
  return grams;
}

/** FNV-1a over UTF-16 units. */
function hash(text: string): number {
  let value = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), FNV_PRIME);
  return value >>> 0;
}

/** Adds ±1 to each value, by a xorshift generator started from the seed. */
function addRandom(vector: Float64Array, seed: number): void {
  let state = seed || 1;
  for (let k = 0; k < vector.length; k++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    // -1 where it is negative, else 1; by its sign bit, since no processor foresees a branch on it.
    vector[k] = (vector[k] ?? 0) + ((state >> 31) | 1);
  }
}
