import { EmbedderError } from './embedder.ts';

/** The most dimensions that pgvector stores. */
const MAX_DIMENSIONS = 16_000;

/** What an answer must have. */
interface Expected {
  readonly model: string;
  readonly count: number;
  /** Dimensions of every vector; default: those of the first. */
  readonly dimensions?: number | undefined;
}

/** Of two unit vectors the cosine. */
export function dotProduct(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let place = 0; place < one.length; place += 1) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}

/**
 * Normalises a model's vectors to unit length, or refuses the whole answer.
 *
 * @throws EmbedderError `unusable` for too few or too many vectors, another number of dimensions, NaN, infinity, or a
 *   vector without length.
 */
export function toUnitVectors(
  vectors: readonly (ArrayLike<number> | undefined)[] | undefined,
  expected: Expected,
): Float32Array[] {
  const { model, count } = expected;
  const refuse = (what: string): never => {
    throw new EmbedderError('unusable', `The embedder ${model} gave ${what}.`);
  };
  if (vectors?.length !== count) return refuse(`${vectors?.length ?? 'no'} vectors for ${count} texts`);
  const dimensions = expected.dimensions ?? vectors[0]?.length ?? 0;
  if (count > 0 && (dimensions < 1 || dimensions > MAX_DIMENSIONS)) {
    refuse(`vectors of ${dimensions} numbers; 1 to ${MAX_DIMENSIONS} can be stored`);
  }
  // Places that are left empty, too.
  return Array.from(vectors, (vector) => {
    if (vector?.length !== dimensions)
      return refuse(`a vector of ${vector?.length ?? 'no'} numbers in place of ${dimensions}`);
    let squares = 0;
    for (let k = 0; k < dimensions; k++) {
      const value = vector[k];
      if (typeof value !== 'number' || !Number.isFinite(value))
        return refuse('a vector with a value that is no number');
      squares += value * value;
    }
    const length = Math.sqrt(squares);
    if (!(length > 0) || !Number.isFinite(length)) refuse('a vector without length');
    const unit = new Float32Array(vector);
    for (let k = 0; k < dimensions; k++) unit[k] = (vector[k] ?? 0) / length;
    return unit;
  });
}
