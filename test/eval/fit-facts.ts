import { askedFeaturesOf } from '../../core/src/features/supersession/asked.ts';
import { readFact } from '../../core/src/features/supersession/fact/read-fact.ts';
import { alignFacts, featuresOf } from '../../core/src/features/supersession/rules/alignment.ts';
import { judgeByRules, judgeFacts } from '../../core/src/features/supersession/rules/judge.ts';
import { tellingWords } from '../../core/src/text/telling-words.ts';
import { termOf } from '../../core/src/text/terms.ts';

/** A pair with what is expected of it, and the set that it is of. */
export interface LabelledPair {
  readonly set: string;
  readonly old: string;
  readonly new: string;
  readonly replaces: boolean;
  /** What is asked once both are stored, and what of the older one. */
  readonly now: string;
  readonly before: string;
}

/** What is known of two facts, by itself or beside a question. */
interface Row {
  readonly pair: LabelledPair;
  readonly features: Readonly<Record<string, number>>;
  /** Whether it is left to the weights; else it is for no doubt, or was replaced when it was stored. */
  readonly open: boolean;
  /** Two facts of two pairs. */
  readonly isStranger?: boolean;
}

const THRESHOLDS = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8];
/** Keeps weights small that few pairs speak for. */
const RIDGE = 1;
/** Newton's method comes to rest after fewer. */
const STEPS = 12;
/** Of each question so many facts that are about something else, and what each of them counts beside a pair. */
const STRANGERS = 7;
const STRANGERS_COUNT = 0.15;

/**
 * Chooses what the features of two facts weigh (logistic regression with a ridge), and prints it, with what weights chosen without
 * a set say of that set: how they do on pairs that they were not made with. First of two facts alone, then of two facts and a
 * question.
 */
export function fitFacts(pairs: readonly LabelledPair[]): void {
  print('two facts alone', pairs.map(toRow), chooseWeights);
  const rows = [...pairs.flatMap(toAskedRows), ...pairs.flatMap((pair) => toStrangerRows(pair, pairs))];
  print('two facts and a question', rows, chooseWeights);
}

function print(
  what: string,
  rows: readonly Row[],
  choose: (rows: readonly Row[]) => readonly number[],
): void {
  const sets = [...new Set(rows.map(({ pair }) => pair.set))];
  const judged = sets.flatMap((set) => {
    const weights = choose(rows.filter(({ pair, open }) => pair.set !== set && open));
    return rows
      .filter(({ pair }) => pair.set === set)
      .map((row) => ({ ...row, likelihood: row.open ? likelihoodOf(weights, row) : 0 }));
  });
  process.stdout.write(
    `\n${what}, each set judged by weights made without it: of those that replace, that coexist\n`,
  );
  for (const least of THRESHOLDS) {
    const share = (replaces: boolean, set?: string) => {
      const some = judged.filter(
        ({ pair, isStranger }) => !isStranger && pair.replaces === replaces && pair.set === (set ?? pair.set),
      );
      const found = new Set(some.filter(({ likelihood }) => likelihood >= least).map(({ pair }) => pair));
      const all = new Set(some.map(({ pair }) => pair));
      return `${((100 * found.size) / all.size).toFixed(1)} %`.padStart(8);
    };
    const last = sets.at(-1);
    const strangers = judged.filter(({ isStranger }) => isStranger);
    const doubted = strangers.filter(({ likelihood }) => likelihood >= least).length / strangers.length;
    process.stdout.write(
      `  likelihood from ${least}: ${share(true)} ${share(false)}; of ${last}: ${share(true, last)} ${share(false, last)}${strangers.length > 0 ? `; of two about something else ${(100 * doubted).toFixed(1)} %` : ''}\n`,
    );
  }
  const weights = choose(rows.filter(({ open }) => open));
  process.stdout.write('weights\n');
  for (const [at, name] of Object.keys(rows[0]?.features ?? {}).entries())
    process.stdout.write(`  ${name}: ${(weights[at] ?? 0).toFixed(2)},\n`);
}

function toRow(pair: LabelledPair): Row {
  const [older, newer] = [readFact(pair.old), readFact(pair.new)];
  const { verdict, isUndecided } = judgeByRules(older, newer);
  const open = isUndecided || verdict !== 'coexists';
  return { pair, open, features: featuresOf(older, newer, alignFacts(older, newer)) };
}

/** Those that coexist by both questions, since neither may put one of them in doubt. */
function toAskedRows(pair: LabelledPair): Row[] {
  if (judgeFacts(readFact(pair.old), readFact(pair.new)).verdict === 'replaces') return [];
  return (pair.replaces ? [pair.now] : [pair.now, pair.before]).map((asked) => {
    const facts = {
      question: readFact(asked),
      older: readFact(pair.old),
      newer: readFact(pair.new),
      others: [],
    };
    return { pair, open: true, features: askedFeaturesOf(facts) };
  });
}

/** The fact that a question asks for, beside facts of other pairs that share most words with the question: all of them hold. */
function toStrangerRows(pair: LabelledPair, pairs: readonly LabelledPair[]): Row[] {
  const others = pairs
    .filter((other) => other !== pair && other.set === pair.set)
    .flatMap((other) => (other.replaces ? [other.new] : [other.old, other.new]));
  const asked = [{ question: pair.now, answer: pair.new }];
  if (!pair.replaces) asked.push({ question: pair.before, answer: pair.old });
  return asked.flatMap(({ question, answer }) => {
    const wanted = wordsOf(question);
    const shared = (text: string) => [...wordsOf(text)].filter((word) => wanted.has(word)).length;
    const nearest = [...others].sort((one, other) => shared(other) - shared(one)).slice(0, STRANGERS);
    return nearest.map((other, place) => {
      // In turn the one and the other is the newer one.
      const [old, newer] = place % 2 === 0 ? [answer, other] : [other, answer];
      const facts = {
        question: readFact(question),
        older: readFact(old),
        newer: readFact(newer),
        others: [],
      };
      return {
        pair: { ...pair, replaces: false },
        open: true,
        features: askedFeaturesOf(facts),
        isStranger: true,
      };
    });
  });
}

const terms = new Map<string, ReadonlySet<string>>();

function wordsOf(text: string): ReadonlySet<string> {
  const known = terms.get(text);
  if (known) return known;
  const found = new Set(tellingWords(text).map((word) => termOf({ text: word, kind: 'word' })));
  terms.set(text, found);
  return found;
}

function chooseWeights(rows: readonly Row[]): readonly number[] {
  const sizes = new Map<string, number>();
  for (const { pair } of rows) sizes.set(pair.set, (sizes.get(pair.set) ?? 0) + 1);
  const mean = rows.length / sizes.size;
  const known = rows.map(({ pair, features, isStranger }) => ({
    // One hand's many pairs count more than another's few, but not as much more as there are.
    counts: (isStranger ? STRANGERS_COUNT : 1) * Math.sqrt(mean / (sizes.get(pair.set) ?? mean)),
    replaces: pair.replaces,
    values: Object.values(features),
  }));
  let weights = new Array<number>(known[0]?.values.length ?? 0).fill(0);
  for (let step = 0; step < STEPS; step += 1) {
    const slope = weights.map((weight, at) => (at === 0 ? 0 : RIDGE * weight));
    // The bias is left free but for as much as makes the equations solvable.
    const bend = weights.map((_, row) =>
      weights.map((_, column): number => (row !== column ? 0 : row === 0 ? 1e-6 : RIDGE)),
    );
    for (const { values, replaces, counts } of known) {
      const likelihood = likelihoodBy(weights, values);
      const error = counts * (likelihood - (replaces ? 1 : 0));
      const spread = counts * likelihood * (1 - likelihood);
      for (const [row, value] of values.entries()) {
        slope[row] = (slope[row] ?? 0) + error * value;
        const bendOfRow = bend[row] ?? [];
        for (const [column, other] of values.entries())
          bendOfRow[column] = (bendOfRow[column] ?? 0) + spread * value * other;
      }
    }
    const by = solve(bend, slope);
    weights = weights.map((weight, at) => weight - (by[at] ?? 0));
  }
  return weights;
}

/** Solves linear equations whose matrix is symmetric and positive definite, by elimination. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  for (const [at, pivot] of rows.entries()) {
    for (const [other, row] of rows.entries()) {
      if (other === at) continue;
      const factor = (row[at] ?? 0) / (pivot[at] ?? 1);
      for (let column = at; column < row.length; column += 1)
        row[column] = (row[column] ?? 0) - factor * (pivot[column] ?? 0);
    }
  }
  return rows.map((row, at) => (row.at(-1) ?? 0) / (row[at] ?? 1));
}

function likelihoodOf(weights: readonly number[], { features }: Row): number {
  return likelihoodBy(weights, Object.values(features));
}

function likelihoodBy(weights: readonly number[], values: readonly number[]): number {
  let sum = 0;
  for (const [at, value] of values.entries()) sum += (weights[at] ?? 0) * value;
  return 1 / (1 + Math.exp(-sum));
}
