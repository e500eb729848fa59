import { MOST_RELATED, OF_EACH_TERM, RARE, UNSEEN, WEIGHT_SCALE } from './find-related.ts';

/** The memories that hold a term, or one of several that count as one, by the numbers they have where they are held. */
export interface Holders {
  readonly numbers: readonly number[];
  /** What the term weighs beside others that as many hold. */
  readonly share: number;
}

/** What is counted of each memory, by its number: all 0 before and after a search. */
export interface Counts {
  readonly scores: Float64Array;
  readonly marks: Uint32Array;
  /** The numbers of those counted; anything between searches. */
  readonly touched: Int32Array;
}

interface Wanted {
  /** Terms that one shares at least. */
  readonly least: number;
  /** Holders of one term that are looked at; where there are as many, more may hold it. */
  readonly ofOneTerm: number;
  /** Whether one of two was stored after the other. */
  readonly isNewer: (one: number, other: number) => boolean;
}

/**
 * The memories that share the most terms with a fact, best first: what `findRelated` asks the database for. Counted in buffers,
 * since each write asks for them.
 */
export function shareMost(
  holders: readonly Holders[],
  { scores, marks, touched }: Counts,
  { least, ofOneTerm, isNewer }: Wanted,
): number[] {
  let found = 0;
  for (const { numbers, share } of holders) {
    const held = numbers.length < ofOneTerm ? numbers.length : UNSEEN * numbers.length;
    const weight = Math.floor((WEIGHT_SCALE * share) / (1 + held));
    for (const number of numbers) {
      if (scores[number] === 0) touched[found++] = number;
      scores[number] = (scores[number] ?? 0) + weight;
      marks[number] = (marks[number] ?? 0) + (numbers.length <= RARE ? ENOUGH : 1);
    }
  }
  const comesBefore = (one: number, other: number) => {
    const apart = (scores[one] ?? 0) - (scores[other] ?? 0);
    return apart === 0 ? isNewer(one, other) : apart > 0;
  };
  const bestOf = (numbers: Iterable<number>, most: number) => {
    const best: number[] = [];
    for (const number of numbers) {
      if ((marks[number] ?? 0) < least) continue;
      let at = best.length;
      while (at > 0 && comesBefore(number, best[at - 1] ?? 0)) at -= 1;
      if (at < most) best.splice(at, 0, number);
      if (best.length > most) best.pop();
    }
    return best;
  };
  const kept = new Set(bestOf(touched.subarray(0, found), MOST_RELATED));
  for (const { numbers } of holders) for (const number of bestOf(numbers, OF_EACH_TERM)) kept.add(number);
  const related = bestOf(kept, kept.size);
  for (let at = 0; at < found; at += 1) {
    const number = touched[at] ?? 0;
    scores[number] = 0;
    marks[number] = 0;
  }
  return related;
}

/** More than the terms that are asked of any. */
const ENOUGH = 1_000;
