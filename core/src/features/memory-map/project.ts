import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';

const ROUNDS = 24;

/** Two directions at right angles, and the middle they go through. */
export interface Plane {
  readonly middle: Float64Array;
  readonly axes: readonly [Float64Array, Float64Array];
}

/**
 * The plane in which vectors differ most: their first two principal components, found by orthogonal iteration. The same
 * vectors give the same plane, mirrored the same way.
 */
export async function principalPlane(vectors: readonly Float32Array[]): Promise<Plane> {
  const dimensions = vectors[0]?.length ?? 0;
  const middle = new Float64Array(dimensions);
  for (const vector of vectors) add(middle, vector, 1 / vectors.length);
  let first = start(dimensions, 1);
  let second = start(dimensions, 2);
  for (let round = 0; round < ROUNDS; round += 1) {
    const [nextFirst, nextSecond] = [new Float64Array(dimensions), new Float64Array(dimensions)];
    for (const vector of vectors) {
      await yieldToEventLoop();
      const [x, y] = [along(vector, middle, first), along(vector, middle, second)];
      addApart(nextFirst, vector, middle, x);
      addApart(nextSecond, vector, middle, y);
    }
    first = unit(nextFirst, first);
    // What the first direction explains already is taken out of the second.
    add(nextSecond, first, -dot(nextSecond, first));
    second = unit(nextSecond, second);
  }
  return { middle, axes: [facing(first), facing(second)] };
}

/** Numbers that look random and are always the same. */
function start(dimensions: number, seed: number): Float64Array {
  const vector = Float64Array.from({ length: dimensions }, (_, index) =>
    Math.sin((index + 1) * 12.9898 * seed),
  );
  return unit(vector, vector);
}

function along(vector: Float32Array, middle: Float64Array, axis: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < axis.length; index += 1) {
    sum += ((vector[index] ?? 0) - (middle[index] ?? 0)) * (axis[index] ?? 0);
  }
  return sum;
}

function addApart(sum: Float64Array, vector: Float32Array, middle: Float64Array, weight: number): void {
  for (let index = 0; index < sum.length; index += 1) {
    sum[index] = (sum[index] ?? 0) + weight * ((vector[index] ?? 0) - (middle[index] ?? 0));
  }
}

function add(sum: Float64Array, vector: ArrayLike<number>, weight: number): void {
  for (let index = 0; index < sum.length; index += 1) {
    sum[index] = (sum[index] ?? 0) + weight * (vector[index] ?? 0);
  }
}

/** The scalar product of two vectors. */
export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** Of length 1; `otherwise` where there is no direction left, as between copies of one vector. */
function unit(vector: Float64Array, otherwise: Float64Array): Float64Array {
  const length = Math.sqrt(dot(vector, vector));
  return length > 1e-12 ? vector.map((value) => value / length) : otherwise;
}

/** A direction and its opposite are as good: the one whose largest part is positive. */
function facing(axis: Float64Array): Float64Array {
  let largest = 0;
  for (const value of axis) if (Math.abs(value) > Math.abs(largest)) largest = value;
  return largest < 0 ? axis.map((value) => -value) : axis;
}
