import { languageOf } from '../../text/language.ts';
import { tellingWords } from '../../text/telling-words.ts';
import { commonnessOf, termOf } from '../../text/terms.ts';
import { splitWords } from '../../text/words.ts';
import type { Fact, Token } from './fact/fact.ts';
import { tellOtherStates } from './fact/find-phrases.ts';
import { marksOf } from './fact/marks.ts';
import { flag, isName, likelihoodOf, stemOfToken } from './rules/alignment.ts';
import { isNarrower } from './rules/other-case.ts';
import { shareTellingRelation } from './rules/same-subject.ts';

/** Two facts, and the question that both are an answer to. */
export interface AskedPair {
  readonly question: Fact;
  readonly older: Fact;
  readonly newer: Fact;
  /** What else the question found. A word that these hold too only says of whom all of them are. */
  readonly others: readonly Fact[];
}

/** From this likelihood on the older fact is told to be in conflict with the newer one. */
const POSSIBLE = 0.15;
/**
 * From this one on it comes behind the newer one, too. A lower one puts more of what was replaced behind, and more facts that hold
 * behind others of the same subject.
 */
const LIKELY = 0.35;

/** What each feature weighs: chosen and printed by `npm run eval -- --facts --fit`. */
const WEIGHTS: ReturnType<typeof askedFeaturesOf> = {
  bias: -0.99,
  inOrder: -4.96,
  sharedRelation: -1.27,
  sharedWeight: 2.66,
  nothingShared: -1.73,
  bothAnswer: 1.17,
  olderAnswers: -1.71,
  newerAnswers: -3.64,
  toldApart: -1.74,
  changed: 0.86,
  event: 0.87,
  tentative: -1.25,
  tentativeAsked: -1.33,
  olderPast: -0.73,
  asksPast: -2.14,
  asksUsual: -2.32,
};

/** How sure it is that a newer fact says otherwise than an older one. */
export type ConflictLevel = 'possible' | 'likely';

/**
 * Whether a newer fact perhaps says otherwise of what is asked than an older one. The question tells what both would have to be
 * about, so that this needs less certainty than to replace the older one when the newer one is stored.
 */
export function conflictOf(pair: AskedPair): ConflictLevel | undefined {
  const { older, newer } = pair;
  if (!older.single || !newer.single || older.letters === newer.letters) return undefined;
  // "Before, the office was in Emmendingen": what was says nothing of what is.
  if (newer.past && !newer.changed) return undefined;
  const likelihood = likelihoodOf(WEIGHTS, askedFeaturesOf(pair));
  if (likelihood >= LIKELY) return 'likely';
  return likelihood >= POSSIBLE ? 'possible' : undefined;
}

/**
 * Whether a question asks for an older fact rather than for a newer one that contradicts it: it names what that one alone is about,
 * and nothing that the newer one alone is about. "Maja's shoe size" is no question about Leo's, nor the log retention one about that
 * of audit logs.
 */
export function asksForOlder({ question, older, newer }: Omit<AskedPair, 'others'>): boolean {
  const asked = new Set(question.tokens.map(stemOfToken));
  const about = (fact: Fact, other: Fact) => {
    const said = new Set(other.tokens.map(stemOfToken));
    return fact.tokens.filter((token) => token.subject && !token.soft && !said.has(stemOfToken(token)));
  };
  const isAsked = (token: Token) => asked.has(stemOfToken(token));
  const ofNewer = about(newer, older);
  if (ofNewer.some(isAsked)) return false;
  return about(older, newer).some(isAsked) ? ofNewer.length > 0 : isNarrower(newer, older);
}

/** Whether a question asks for what was, so that a newer fact answers it no better. */
export function asksForPast(question: Fact): boolean {
  return marksOf(question).has('former');
}

/** Whether the question names what only one of the facts speaks of, or both are entries of a list. */
function areToldApart(pair: AskedPair): boolean {
  const { older, newer } = pair;
  if (older.label === 'list' || newer.label === 'list') return true;
  const { onlyOlder, onlyNewer, oldValue, newValue } = partsOf(pair);
  if (oldValue.length + newValue.length === 0 && !saysOtherwise(older, newer)) return true;
  if ([...onlyOlder, ...onlyNewer].some((token) => isDistinct(token, pair.question))) return true;
  const ids = (tokens: readonly Token[]) => tokens.filter(isIdentifier);
  const theirs = ids([...newValue, ...onlyNewer]);
  return ids([...oldValue, ...onlyOlder]).some((mine) => theirs.some((other) => areSiblings(mine, other)));
}

/** Whether it denies, or tells of another state, where it takes no word away. */
function saysOtherwise(older: Fact, newer: Fact): boolean {
  return tellOtherStates(older, newer) || newer.denies !== older.denies || newer.changed;
}

/** A name, a number, a time or a case: what has another is another thing. In German a capital makes no name. */
function isDistinct(token: Token, { content, tokens }: Fact): boolean {
  const { text, kind, scope } = token;
  if (kind === 'time' || scope || /\d/.test(text)) return true;
  return isName(token, tokens.indexOf(token)) && languageOf(splitWords(content)) !== 'de';
}

/** "server1", "OPS-12", "db.pool.min", "Room 101" */
function isIdentifier({ text, kind, subject }: Token): boolean {
  return subject && (kind === 'word' ? /[\d._#/-]/.test(text) : true);
}

function areSiblings({ text: mine, kind }: Token, { text: other, kind: otherKind }: Token): boolean {
  return kind === otherKind && (kind !== 'word' || mine.slice(0, 2) === other.slice(0, 2));
}

/** What of the question each fact speaks of, and what each says beside it that the other does not. */
function partsOf({ question, older, newer }: AskedPair) {
  const old = older.tokens.filter(({ denied }) => !denied);
  const stemsOf = (tokens: readonly Token[]) => new Set(tokens.map(stemOfToken));
  const [asked, there, here] = [stemsOf(question.tokens), stemsOf(old), stemsOf(newer.tokens)];
  const affirmed = newer.tokens.filter(({ denied }) => !denied);
  const now = stemsOf(affirmed);
  const isAsked = (token: Token, inOld: boolean, inNew: boolean) =>
    there.has(stemOfToken(token)) === inOld && here.has(stemOfToken(token)) === inNew;
  return {
    onlyOlder: question.tokens.filter((token) => isAsked(token, true, false)),
    onlyNewer: question.tokens.filter((token) => isAsked(token, false, true)),
    oldValue: old.filter((token) => !asked.has(stemOfToken(token)) && !now.has(stemOfToken(token))),
    newValue: affirmed.filter((token) => !asked.has(stemOfToken(token)) && !there.has(stemOfToken(token))),
  };
}

/** The words of a fact or a question. */
interface ReadWords {
  /** By term, in order. */
  readonly all: readonly string[];
  readonly distinct: ReadonlySet<string>;
  /** Those by which it tells something. */
  readonly telling: readonly string[];
}

/** Of longer facts, the beginning is compared. */
const MOST_WORDS = 60;
const wordsOfFacts = new WeakMap<Fact, ReadWords>();

function wordsOf(fact: Fact): ReadWords {
  const known = wordsOfFacts.get(fact);
  if (known) return known;
  const termsOf = (texts: readonly string[]) => texts.map((text) => termOf({ text, kind: 'word' }));
  const all = termsOf(
    splitWords(fact.content)
      .slice(0, MOST_WORDS)
      .map(({ text }) => text),
  );
  const read = { all, distinct: new Set(all), telling: termsOf(tellingWords(fact.content)) };
  wordsOfFacts.set(fact, read);
  return read;
}

/** Of two texts, how much of the longer one is words of the other in the same order, 0 to 1. */
function shareInOrder(one: readonly string[], other: readonly string[]): number {
  // By row of one, the longest run of words in order up to each place of the other.
  const longest = new Uint16Array(other.length + 1);
  for (const word of one) {
    let diagonal = 0;
    for (let at = 1; at <= other.length; at += 1) {
      const above = longest[at] ?? 0;
      longest[at] = word === other[at - 1] ? diagonal + 1 : Math.max(above, longest[at - 1] ?? 0);
      diagonal = above;
    }
  }
  return (longest[other.length] ?? 0) / Math.max(1, one.length, other.length);
}

/** From so much information on, in nats, shared words count in full: as much as words that one memory in 10^13 holds together. */
const MUCH = Math.log(1e13);

/** How much a word of two facts tells beside others, 0 to 1: less, the more of these hold it. */
function tellingAmong(others: readonly Fact[]): (term: string) => number {
  const held = others.map((fact) => wordsOf(fact).distinct);
  return (term) => 1 - held.filter((words) => words.has(term)).length / (held.length + 1);
}

/** How much the words tell that two facts share: rare ones more. */
function weightOf(shared: readonly string[], tells: (term: string) => number): number {
  let sum = 0;
  for (const text of shared) sum -= tells(text) * Math.log(commonnessOf({ text, kind: 'word' }));
  return Math.min(1, sum / MUCH);
}

/** What speaks for a newer fact to say otherwise of what is asked: features between 0 and 1. */
export function askedFeaturesOf(pair: AskedPair) {
  const { question, older, newer } = pair;
  const [asked, there, here] = [wordsOf(question), wordsOf(older), wordsOf(newer)];
  const [old, next] = [there.distinct, here.distinct];
  const told = new Set(here.telling);
  const shared = [...new Set(there.telling)].filter((term) => told.has(term));
  const tells = tellingAmong(pair.others);
  const sum = (terms: readonly string[]) => terms.reduce((total, term) => total + tells(term), 0);
  const share = (is: (term: string) => boolean) =>
    sum(asked.telling.filter(is)) / Math.max(1, asked.telling.length);
  const [asks, was, is] = [marksOf(question), marksOf(older), marksOf(newer)];
  const isTentative = (is.has('tentative') || newer.plan) && !was.has('tentative') && !older.plan;
  return {
    bias: 1,
    // Two facts that are told alike, word for word, are mostly of two things; of one, another value would have replaced the other.
    inOrder: shareInOrder(there.all, here.all),
    sharedRelation: flag(shareTellingRelation(older, newer)),
    sharedWeight: weightOf(shared, tells),
    nothingShared: 1 - Math.min(1, sum(shared)),
    bothAnswer: share((term) => old.has(term) && next.has(term)),
    olderAnswers: share((term) => old.has(term) && !next.has(term)),
    newerAnswers: share((term) => !old.has(term) && next.has(term)),
    toldApart: flag(areToldApart(pair)),
    changed: flag(newer.changed || newer.moves || newer.takesOver),
    event: flag(newer.event),
    tentative: flag(isTentative && !asks.has('tentative')),
    tentativeAsked: flag(isTentative && asks.has('tentative')),
    olderPast: flag((was.has('past') || older.past) && !is.has('past')),
    asksPast: flag(asks.has('past') || asks.has('former')),
    asksUsual: flag(asks.has('usual')),
  };
}
