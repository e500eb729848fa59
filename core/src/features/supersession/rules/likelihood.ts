import type { Fact } from '../fact/fact.ts';
import { alignFacts, featuresOf, likelihoodOf } from './alignment.ts';
import { becameReason, conflicts, type Judgement } from './judgement.ts';
import { deniesAnother } from './other-statement.ts';

/**
 * From this likelihood on two facts are told to be in conflict. No likelihood is enough to replace one: among many facts about
 * different things a few look as alike as an older and a newer value, and what is replaced wrongly is hidden.
 */
const CONFLICTING = 0.5;

/**
 * What each feature weighs: chosen by the method of `npm run eval -- --facts --fit`, which prints somewhat other weights, since more pairs
 * that coexist were added to the pairs it takes: rather too few than too many conflicts are told.
 */
const WEIGHTS: ReturnType<typeof featuresOf> = {
  bias: -3.41,
  shareOld: 1.77,
  shareNew: 1.77,
  sharedWords: 0.48,
  noWords: 0.47,
  lostWords: -1.21,
  addedWords: 0.1,
  onlyMore: 0.5,
  numbers: 0.68,
  times: 0.22,
  otherDimension: -0.58,
  otherPeriod: -0.93,
  otherKind: -0.97,
  isMixed: -1.17,
  nameAgainstWord: -0.75,
  similarity: 0.64,
  unknownSimilarity: 0.28,
  changed: 2.72,
  changedShared: 1.38,
  named: 1.1,
  contrasts: 0.18,
  denies: -0.04,
  scope: -1.18,
  event: 0.35,
  list: -0.37,
  otherState: 0.98,
  longer: -1.17,
  possessive: 1.12,
  ownSubject: -0.38,
  ownSubjects: -0.79,
  numberedSubjects: -2.29,
  swap: 1.42,
  swapOfSubjects: -0.48,
  swapOfSingle: 0.92,
  swapOfAttribute: 1.23,
  attribute: 0.01,
  openRelation: -0.16,
  otherRelation: -1.59,
  sharedRelation: 0,
  firstPerson: 0.22,
};

/** Judges two facts, of which no rule says how they stand to each other, by all that they share and differ in. */
export function weigh(older: Fact, newer: Fact): Judgement | undefined {
  const alignment = alignFacts(older, newer);
  const { old, next } = alignment;
  const likelihood = likelihoodOf(WEIGHTS, featuresOf(older, newer, alignment));
  if (likelihood < CONFLICTING) return undefined;
  // "Katharina has quit her savings plan" is all that it says: nothing against where she lives.
  if (next.length === 0 && newer.denies && deniesAnother(newer, older)) return undefined;
  const reason =
    old.length > 0 && next.length > 0 ? becameReason(old, next) : 'it says otherwise of the same';
  return conflicts(reason);
}
