import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { Calibration } from '../embedding/embedder.ts';
import type { Candidate } from './candidates.ts';
import type { Explained, Recalled, RecallSignal } from './contract.ts';
import { type RecallContext, rankInContext } from './ranking/context.ts';
import type { Corpus, Scored } from './ranking/input.ts';
import type { Picked } from './ranking/pick-results.ts';
import type { Successors } from './ranking/prefer-newer.ts';
import { scoreCandidates } from './ranking/score-candidates.ts';
import { evidenceOf, similarityScale } from './ranking/similarity.ts';
import { withoutSignals } from './signals.ts';

/** What a ranking is computed from. */
export interface RankedBy {
  readonly query: AnalyzedQuery;
  readonly corpus: Corpus;
  readonly candidates: readonly Candidate[];
  readonly surroundings: RecallContext;
  readonly calibration: Calibration;
}

/** What each later step of the ranking made of it. */
export interface Outcome {
  readonly inContext: readonly Scored[];
  readonly reranked: readonly Scored[];
  /** After facts that hold took the place of those that they supersede. */
  readonly unraised: readonly Scored[];
  /** After newer facts were raised before those that they contradict. */
  readonly ranked: readonly Scored[];
  readonly successors: Successors;
}

type Explanation = NonNullable<Recalled['explanation']>;

/** Signals in the order in which they are added, after the words. */
const ADDED: readonly { readonly signal: RecallSignal; readonly name: string }[] = [
  { signal: 'vectors', name: 'meaning' },
  { signal: 'time', name: 'time' },
  { signal: 'importance', name: 'importance' },
];
/** Evidence is shown in whole millionths, so that the parts add up to the total. */
const MILLION = 1e6;
const MOST_LEFT_OUT = 5;

/**
 * Explains what each signal gave a memory. The ranking is computed again with one signal after the other; the part of a signal is by
 * how much the total grew or shrank with it. So the parts add up to the evidence, whatever the ranking does with a signal.
 */
export function explainRanking(by: RankedBy, outcome: Outcome): (id: string) => Explanation {
  const steps = [...ownSteps(by), ...stepsInContext(by, outcome)];
  const words = wordsOf(by);
  return (id) => {
    const told = new Explainer();
    for (const { name, value } of words(id)) told.add(name, value);
    for (const { name, evidence } of steps) told.reach(name, evidence.get(id) ?? 0);
    return told.explanation;
  };
}

/** Adds up parts in whole millionths. */
class Explainer {
  readonly #parts: { name: string; value: number }[] = [];
  #sum = 0;
  #total = 0;

  add(name: string, value: number): void {
    this.#sum += value;
    this.reach(name, this.#sum);
  }

  /** @param sum The evidence with this part. */
  reach(name: string, sum: number): void {
    const total = Math.round(MILLION * sum);
    const gain = total - this.#total;
    if (gain !== 0) this.#parts.push({ name, value: gain / MILLION });
    this.#total = total;
  }

  get explanation(): Explanation {
    return { total: this.#total / MILLION, parts: this.#parts };
  }
}

interface Step {
  readonly name: string;
  /** By id, the evidence with this step and all before it. */
  readonly evidence: ReadonlyMap<string, number>;
}

/** What each of the query's words gave a memory. */
function wordsOf(by: RankedBy): (id: string) => { readonly name: string; readonly value: number }[] {
  const names = new Map<number, string>();
  for (const { word, term, whole } of by.query.terms) {
    if (whole || !names.has(word)) names.set(word, term);
  }
  const named = [...names.values()];
  const scored = new Map(scoreWithout(by, ADDED).map((one) => [one.id, one.words]));
  return (id) =>
    (scored.get(id) ?? []).map((value, place) => ({ name: `word: ${named[place] ?? place + 1}`, value }));
}

/** The memories' own evidence with one more signal at each step; with all of them, copies are told apart. */
function ownSteps(by: RankedBy): Step[] {
  const steps = ADDED.map(({ name }, place) => ({
    name,
    evidence: evidenceById(scoreWithout(by, ADDED.slice(place + 1))),
  }));
  return [...steps, { name: 'copies', evidence: evidenceById(own(by)) }];
}

function scoreWithout(by: RankedBy, left: typeof ADDED): Scored[] {
  const mask = withoutSignals(left.map(({ signal }) => signal));
  const { copies: _, ...corpus } = by.corpus;
  return own({ ...by, query: mask.query(by.query), corpus, candidates: mask.candidates(by.candidates) });
}

function own({ query, corpus, candidates, calibration }: RankedBy): Scored[] {
  return scoreCandidates(query, corpus, candidates, calibration);
}

/** What content, neighbours, the reranker and newer facts made of it. */
function stepsInContext(by: RankedBy, { inContext, reranked, ranked }: Outcome): Step[] {
  const alone = rankInContext(by.query, own(by), { ...by.surroundings, links: [] });
  return [
    { name: 'wording', evidence: evidenceById(alone) },
    { name: 'neighbours', evidence: evidenceById(inContext) },
    { name: 'reranker', evidence: evidenceById(reranked) },
    { name: 'supersession', evidence: evidenceById(ranked) },
  ];
}

function evidenceById(scored: readonly Scored[]): ReadonlyMap<string, number> {
  return new Map(scored.map(({ id, evidence }) => [id, evidence]));
}

/**
 * Explains which memories are results: the least total of one, and why the best of the others are none.
 *
 * @param shown Ids of the results.
 */
export function explainChoice(
  threshold: number,
  rankings: readonly { readonly by: RankedBy; readonly outcome: Outcome }[],
  picked: Picked,
  shown: ReadonlySet<string>,
): Explained {
  const similarityOf = similarityScale(picked);
  const ranked = rankings.flatMap(({ outcome }) => outcome.ranked);
  const reranked = rankings.flatMap(({ outcome }) => outcome.reranked);
  const successors = new Map(rankings.flatMap(({ outcome }) => [...outcome.successors]));
  const candidates = rankings.flatMap(({ by }) => by.candidates);
  const told = new Set(ranked.map(({ id }) => id));
  const wordings = new Map(candidates.map(({ id, type, fingerprint }) => [id, `${type} ${fingerprint}`]));
  const said = new Set([...shown].flatMap((id) => wordings.get(id) ?? []));
  const reasonOf = (item: Scored) => {
    const newer = successors.get(item.id);
    if (newer !== undefined && !told.has(item.id)) return `superseded by ${newer.id}`;
    if (similarityOf(item.evidence) < threshold) return 'below the threshold';
    if (picked.results.some(({ id }) => id === item.id)) return 'beyond max_tokens';
    return said.has(wordings.get(item.id) ?? '') ? 'says the same as a result' : 'beyond the limit';
  };
  const gone = reranked.filter(({ id }) => !told.has(id));
  const left = [...gone, ...ranked]
    .filter(({ id, evidence }) => evidence > 0 && !shown.has(id))
    .sort((a, b) => b.evidence - a.evidence);
  return {
    // No evidence is enough for a similarity of 1.
    least_total: threshold < 1 ? Math.round(MILLION * evidenceOf(threshold, picked)) / MILLION : null,
    left_out: left.slice(0, MOST_LEFT_OUT).map((item) => ({
      id: item.id,
      total: Math.round(MILLION * item.evidence) / MILLION,
      reason: reasonOf(item),
    })),
  };
}
