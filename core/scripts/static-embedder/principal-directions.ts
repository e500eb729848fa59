/** Rows, all of one length. */
export type Matrix = readonly Float64Array[];

const ROUNDS = 60;

/**
 * Subtracts the mean of the rows from each.
 *
 * @returns new rows
 */
export function centred(rows: Matrix): Float64Array[] {
  const mean = new Float64Array(rows[0]?.length ?? 0);
  for (const row of rows) addTimes(mean, 1 / rows.length, row);
  return rows.map((row) => {
    const own = row.slice();
    addTimes(own, -1, mean);
    return own;
  });
}

/** The directions in which centred rows vary most, the strongest first, by orthogonal iteration. */
export function principalDirections(rows: Matrix, count: number): Float64Array[] {
  const covariance = covarianceOf(rows);
  let directions = covariance.slice(0, count).map((row) => row.slice());
  for (let round = 0; round < ROUNDS; round += 1) {
    directions = directions.map((direction) => Float64Array.from(covariance, (row) => dot(row, direction)));
    orthonormalise(directions);
  }
  return directions;
}

/** The rows in the coordinates of some directions. */
export function project(rows: Matrix, directions: Matrix): Float64Array[] {
  return rows.map((row) => Float64Array.from(directions, (direction) => dot(row, direction)));
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k += 1) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
}

/** Adds a multiple of a vector to `target`. */
export function addTimes(target: Float64Array, factor: number, vector: Float64Array): void {
  for (let k = 0; k < target.length; k += 1) target[k] = (target[k] ?? 0) + factor * (vector[k] ?? 0);
}

function covarianceOf(rows: Matrix): Float64Array[] {
  const dimensions = rows[0]?.length ?? 0;
  const covariance = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (const row of rows) {
    covariance.forEach((target, k) => {
      addTimes(target, row[k] ?? 0, row);
    });
  }
  return covariance;
}

/** By Gram and Schmidt, in place. */
function orthonormalise(vectors: readonly Float64Array[]): void {
  vectors.forEach((vector, n) => {
    for (const before of vectors.slice(0, n)) addTimes(vector, -dot(vector, before), before);
    const length = Math.sqrt(dot(vector, vector)) || 1;
    for (let k = 0; k < vector.length; k += 1) vector[k] = (vector[k] ?? 0) / length;
  });
}
