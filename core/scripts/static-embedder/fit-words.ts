import { addTimes, dot, type Matrix } from './principal-directions.ts';

/** A text by its words: rows of the table, each with its weight in the mean. */
export type Bag = readonly (readonly [row: number, weight: number])[];

/** How much the words' own vectors are kept: those of rare words, which few sentences hold, hardly change. */
const RIDGE = 1;
const ROUNDS = 60;
const ENOUGH = 1e-6;

/**
 * Moves word vectors so that the weighted mean of a sentence's words points where the sentence's own vector does: ridge
 * regression around the given vectors, by conjugate gradients.
 *
 * @param words Changed in place.
 * @param targets A vector for each sentence, of the words' dimensions.
 */
export function fitWords(words: Float64Array[], sentences: readonly Bag[], targets: Matrix): void {
  const dimensions = words[0]?.length ?? 0;
  const bags: Bag[] = [];
  const missing: Float64Array[] = [];
  sentences.forEach((sentence, n) => {
    const target = targets[n];
    const mean = new Float64Array(dimensions);
    for (const [row, weight] of sentence) addTimes(mean, weight, words[row] ?? mean);
    const length = Math.sqrt(dot(mean, mean));
    if (!target || length < ENOUGH) return;
    bags.push(sentence.map(([row, weight]) => [row, weight / length]));
    const rest = target.map((value) => value / Math.sqrt(dot(target, target)));
    addTimes(rest, -1 / length, mean);
    missing.push(rest);
  });
  for (let k = 0; k < dimensions; k += 1) {
    const moved = solve(
      words.length,
      bags,
      Float64Array.from(missing, (rest) => rest[k] ?? 0),
    );
    words.forEach((word, row) => {
      word[k] = (word[k] ?? 0) + (moved[row] ?? 0);
    });
  }
}

/** Minimises |Bx - rest|² + RIDGE |x|², B having a row for each bag. */
function solve(size: number, bags: readonly Bag[], rest: Float64Array): Float64Array {
  const x = new Float64Array(size);
  const residual = spread(size, bags, rest);
  const direction = residual.slice();
  let left = dot(residual, residual);
  const enough = left * ENOUGH;
  for (let round = 0; round < ROUNDS && left > enough; round += 1) {
    const applied = spread(size, bags, gather(bags, direction));
    addTimes(applied, RIDGE, direction);
    const step = left / dot(direction, applied);
    addTimes(x, step, direction);
    addTimes(residual, -step, applied);
    const before = left;
    left = dot(residual, residual);
    for (let k = 0; k < size; k += 1) {
      direction[k] = (residual[k] ?? 0) + (left / before) * (direction[k] ?? 0);
    }
  }
  return x;
}

/** Of each bag the sum of its words' values. */
function gather(bags: readonly Bag[], values: Float64Array): Float64Array {
  return Float64Array.from(bags, (bag) =>
    bag.reduce((sum, [row, weight]) => sum + weight * (values[row] ?? 0), 0),
  );
}

/** Of each word the sum of its bags' values. */
function spread(size: number, bags: readonly Bag[], values: Float64Array): Float64Array {
  const sums = new Float64Array(size);
  bags.forEach((bag, n) => {
    for (const [row, weight] of bag) sums[row] = (sums[row] ?? 0) + weight * (values[n] ?? 0);
  });
  return sums;
}
