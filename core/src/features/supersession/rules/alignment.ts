import { wordSimilarity } from '../../../text/word-similarity.ts';
import type { Fact, Token } from '../fact/fact.ts';
import { tellOtherStates } from '../fact/find-phrases.ts';
import { OPEN_RELATIONS, SINGLE_RELATIONS } from '../fact/relations.ts';
import { hard } from './difference.ts';
import { joinedDetails } from './run.ts';
import { shareAttribute, sharedRelations, shareTellingRelation, tellDifferent } from './same-subject.ts';

/** What two facts share, and what each says that the other does not, word for word. */
export interface Alignment {
  readonly old: readonly Token[];
  readonly next: readonly Token[];
  /** What the newer one says of what the older one says. */
  readonly shared: readonly Token[];
  /** Share of the older one that the newer one says too, and the other way round. */
  readonly shareOld: number;
  readonly shareNew: number;
  /** The newer one names what was as no longer so. */
  readonly named: boolean;
}

/** Letters by which words of one stem begin alike. */
const STEM = 5;
/** So many words are many. */
const MANY = 4;

export function alignFacts(older: Fact, newer: Fact): Alignment {
  const mine = hard(older.tokens).filter(({ denied }) => !denied || older.denies);
  const theirs = hard(newer.tokens);
  const [mineStems, theirStems] = [new Set(mine.map(stemOfToken)), new Set(theirs.map(stemOfToken))];
  const old = mine.filter((token) => !theirStems.has(stemOfToken(token)));
  const found = theirs.filter((token) => mineStems.has(stemOfToken(token)));
  return {
    old,
    next: theirs.filter((token) => !token.denied && !mineStems.has(stemOfToken(token))),
    shared: found.filter(({ denied }) => !denied),
    shareOld: mine.length === 0 ? 0 : 1 - old.length / mine.length,
    shareNew: theirs.length === 0 ? 0 : found.length / theirs.length,
    named: found.some(({ denied }) => denied),
  };
}

/**
 * Tells how two aligned facts stand to each other: by features between 0 and 1, of which each is worth the same in every subject
 * and wording. See WEIGHTS.
 */
export function featuresOf(older: Fact, newer: Fact, alignment: Alignment) {
  return {
    bias: 1,
    ...sharingOf(alignment),
    ...kindsOf(alignment),
    ...cuesOf(older, newer, alignment),
    ...attributesOf(older, newer, alignment),
  };
}

function sharingOf({ old, next, shared, shareOld, shareNew }: Alignment) {
  const words = ofKind(shared, 'word').length;
  return {
    shareOld,
    shareNew,
    sharedWords: few(words),
    noWords: flag(words === 0),
    lostWords: few(ofKind(old, 'word').length),
    addedWords: few(ofKind(next, 'word').length),
    onlyMore: flag(old.length === 0 || next.length === 0),
  };
}

/** Whether what differs is of one kind: numbers of one dimension, times, names, words of like meaning. */
function kindsOf({ old, next }: Alignment) {
  const [oldNumbers, nextNumbers] = [ofKind(old, 'number'), ofKind(next, 'number')];
  const [oldTimes, nextTimes] = [ofKind(old, 'time'), ofKind(next, 'time')];
  const [oldWords, nextWords] = [ofKind(old, 'word'), ofKind(next, 'word')];
  const areNumbers = oldNumbers.length > 0 && nextNumbers.length > 0;
  const areTimes = oldTimes.length > 0 && nextTimes.length > 0;
  const isOneDimension = areNumbers && joinedDetails(oldNumbers) === joinedDetails(nextNumbers);
  const isMeasured = oldNumbers.length + oldTimes.length > 0;
  const similarity = mostSimilar(oldWords, nextWords);
  return {
    numbers: flag(isOneDimension),
    times: flag(areTimes && joinedDetails(oldTimes) === joinedDetails(nextTimes)),
    otherDimension: flag(areNumbers && !isOneDimension),
    otherPeriod: flag(areNumbers && areTimes),
    otherKind: flag(isMeasured !== nextNumbers.length + nextTimes.length > 0),
    isMixed: flag(isMeasured && oldWords.length > 0),
    nameAgainstWord: flag(oldWords.some(isName) !== nextWords.some(isName)),
    similarity: Math.max(0, similarity),
    unknownSimilarity: flag(similarity < 0),
  };
}

function cuesOf(older: Fact, newer: Fact, { old, next, shared, named }: Alignment) {
  const changed = newer.changed || newer.moves || newer.takesOver;
  return {
    changed: flag(changed),
    changedShared: flag(changed) * few(ofKind(shared, 'word').length),
    named: flag(named),
    contrasts: flag(newer.contrasts),
    denies: flag(newer.denies !== older.denies),
    scope: flag([...old, ...next].some(({ scope }) => scope)),
    event: flag((older.event || newer.event) && !changed),
    list: flag(older.label === 'list' || newer.label === 'list'),
    otherState: flag(tellOtherStates(older, newer)),
    longer: flag(newer.content.length > 2 * older.content.length),
    possessive: flag(POSSESSIVE.test(newer.content) !== POSSESSIVE.test(older.content)),
  };
}

const POSSESSIVE = /['’]s\b/;

/** Whether it is said of the same attribute, and of the same subject. */
function attributesOf(older: Fact, newer: Fact, { old, next }: Alignment) {
  const shared = sharedRelations(older, newer);
  const hasAttribute = shareAttribute(older, newer);
  const isSubjectOf = (tokens: readonly Token[]) =>
    tokens.some(({ subject, kind }) => subject && kind === 'word');
  const ofBoth = isSubjectOf(old) && isSubjectOf(next);
  const isSwap = isOnePart(old) && isOnePart(next);
  const numbered = (tokens: readonly Token[]) =>
    tokens.some(({ subject, kind }) => subject && kind !== 'word');
  return {
    ownSubject: flag(isSubjectOf(next)),
    ownSubjects: flag(ofBoth),
    numberedSubjects: flag(numbered(old) && numbered(next)),
    swap: flag(isSwap && !ofBoth),
    swapOfSubjects: flag(isSwap && ofBoth),
    swapOfSingle: flag(isSwap && !ofBoth && shared.some((relation) => SINGLE_RELATIONS.has(relation))),
    swapOfAttribute: flag(isSwap && !ofBoth && hasAttribute),
    attribute: flag(hasAttribute),
    openRelation: flag(shared.some((relation) => OPEN_RELATIONS.has(relation))),
    otherRelation: flag(tellDifferent(older, newer)),
    sharedRelation: flag(shareTellingRelation(older, newer)),
    firstPerson: flag(older.firstPerson && newer.firstPerson),
  };
}

/** How likely something is for which features speak as much as they weigh. */
export function likelihoodOf<Name extends string>(
  weights: Readonly<Record<Name, number>>,
  features: Readonly<Record<Name, number>>,
): number {
  let sum = 0;
  for (const name of Object.keys(weights) as Name[]) sum += weights[name] * features[name];
  return 1 / (1 + Math.exp(-sum));
}

export function flag(is: boolean): number {
  return is ? 1 : 0;
}

/** A count as a share of many. */
function few(count: number): number {
  return Math.min(count, MANY) / MANY;
}

function ofKind(tokens: readonly Token[], kind: Token['kind']): readonly Token[] {
  return tokens.filter((token) => token.kind === kind);
}

function isOnePart(tokens: readonly Token[]): boolean {
  return new Set(tokens.map(({ part }) => part)).size === 1;
}

/** A capital at the beginning of a sentence says nothing. */
export function isName({ text, subject }: Token, at: number): boolean {
  return /^\p{Lu}/u.test(text) && (at > 0 || !subject);
}

/** The beginning of a word; identifiers such as "OPS-12" are told apart by their ends. */
export function stemOfToken({ key, kind }: Token): string {
  return kind === 'word' && key.length > STEM && LETTERS.test(key) ? key.slice(0, STEM) : key;
}

const LETTERS = /^\p{L}+$/u;

/** The greatest cosine of a word here and a word there; negative where none is known. */
function mostSimilar(old: readonly Token[], next: readonly Token[]): number {
  let most = -1;
  for (const one of old.slice(0, MANY)) {
    for (const other of next.slice(0, MANY)) {
      most = Math.max(most, wordSimilarity(one.text.toLowerCase(), other.text.toLowerCase()) ?? -1);
    }
  }
  return most;
}
