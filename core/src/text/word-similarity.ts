import { wordTable } from './word-table.ts';

/** The cosine of two words' vectors in the table; undefined where it lacks one of them. */
export function wordSimilarity(one: string, other: string): number | undefined {
  const { rows, values, dimensions } = wordTable();
  const [a, b] = [rows.get(one), rows.get(other)];
  if (a === undefined || b === undefined) return undefined;
  let [dot, mine, theirs] = [0, 0, 0];
  for (let at = 0; at < dimensions; at += 1) {
    const [x = 0, y = 0] = [values[a * dimensions + at], values[b * dimensions + at]];
    dot += x * y;
    mine += x * x;
    theirs += y * y;
  }
  return mine === 0 || theirs === 0 ? undefined : dot / Math.sqrt(mine * theirs);
}
