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
export function addHashed(sum: Float64Array, word: string): void {
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
    vector[k] = (vector[k] ?? 0) + (state < 0 ? -1 : 1);
  }
}
