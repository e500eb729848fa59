import { alignFacts, featuresOf } from '../../core/src/features/supersession/alignment.ts';
import { judgeByRules } from '../../core/src/features/supersession/judge.ts';
import { readFact } from '../../core/src/features/supersession/read-fact.ts';

/** A pair with what is expected of it, and the set that it is of. */
export interface LabelledPair {
  readonly set: string;
  readonly old: string;
  readonly new: string;
  readonly replaces: boolean;
}

interface Row {
  readonly set: string;
  readonly replaces: boolean;
  readonly values: readonly number[];
  /** Whether the rules leave it to the weights. */
  readonly open: boolean;
}

const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9];
/** Keeps weights small that few pairs speak for. */
const RIDGE = 1;
const STEPS = 1_000;
const RATE = 2;

/**
 * Chooses what the features of two aligned facts weigh (logistic regression with a ridge), and prints it, with what weights chosen
 * without a set say of that set: how they do on pairs that they were not made with.
 */
export function fitFacts(pairs: readonly LabelledPair[]): void {
  const rows = pairs.map(toRow);
  const sets = [...new Set(rows.map(({ set }) => set))];
  const judged = sets.flatMap((set) => {
    const weights = chooseWeights(rows.filter((row) => row.set !== set && row.open));
    return rows
      .filter((row) => row.set === set)
      .map((row) => ({ ...row, likelihood: row.open ? likelihoodOf(weights, row.values) : 0 }));
  });
  process.stdout.write(
    '\nthe weights alone, each set judged by weights made without it: of those that replace, that coexist\n',
  );
  for (const least of THRESHOLDS) {
    const share = (replaces: boolean) => {
      const some = judged.filter((row) => row.replaces === replaces);
      return `${((100 * some.filter(({ likelihood }) => likelihood >= least).length) / some.length).toFixed(1)} %`;
    };
    process.stdout.write(
      `  likelihood from ${least}: ${share(true).padStart(8)} ${share(false).padStart(8)}\n`,
    );
  }
  const weights = chooseWeights(rows.filter(({ open }) => open));
  const names = Object.keys(featuresBetween('The port is 1', 'The port is 2'));
  process.stdout.write('weights\n');
  for (const [at, name] of names.entries())
    process.stdout.write(`  ${name}: ${(weights[at] ?? 0).toFixed(2)}\n`);
}

function toRow({ set, old, new: next, replaces }: LabelledPair): Row {
  const { verdict, isUndecided } = judgeByRules(readFact(old), readFact(next));
  const open = isUndecided || verdict !== 'coexists';
  return { set, replaces, open, values: Object.values(featuresBetween(old, next)) };
}

function featuresBetween(old: string, next: string) {
  const [older, newer] = [readFact(old), readFact(next)];
  return featuresOf(older, newer, alignFacts(older, newer));
}

function chooseWeights(rows: readonly Row[]): readonly number[] {
  const weights = new Array<number>(rows[0]?.values.length ?? 0).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : RIDGE * weight));
    for (const { values, replaces } of rows) {
      const error = likelihoodOf(weights, values) - (replaces ? 1 : 0);
      for (const [at, value] of values.entries()) slope[at] = (slope[at] ?? 0) + error * value;
    }
    for (const [at, by] of slope.entries()) weights[at] = (weights[at] ?? 0) - (RATE * by) / rows.length;
  }
  return weights;
}

function likelihoodOf(weights: readonly number[], values: readonly number[]): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (weights[at] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}
