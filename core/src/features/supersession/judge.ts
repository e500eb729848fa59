import { type Difference, differenceOf, hard, keysOf, valuePair } from './difference.ts';
import type { Fact, Token } from './fact.ts';
import { OPEN_RELATIONS, type Relation, SINGLE_RELATIONS } from './relations.ts';
import { differsInKind, hasNumber, isIn, isMixed, isSubject, kindOf, type Run, textOf } from './run.ts';
import {
  areComparable,
  hasAttribute,
  hasOtherSubject,
  isDescribed,
  isSaidByTheSame,
  isUsedByTheSame,
  shareAttribute,
  sharedRelations,
  tellDifferent,
} from './same-subject.ts';

/** What a newer fact does to an older one. */
export interface Judgement {
  /** `conflicts`: of the same subject, and perhaps both cannot hold. */
  readonly verdict: 'replaces' | 'conflicts' | 'coexists';
  /** A plain phrase for the human, such as "8080 became 9090". */
  readonly reason: string;
}

/** Words of a value; longer differences are other statements. */
const LONGEST_VALUE = 5;

/** Words beside the value that a fact which says that something changed may add. */
const MOST_EXTRAS = 4;

/**
 * Judges by rules whether a newer fact takes an older one's place: the same subject and attribute, another value, or the
 * older one denied. Rather misses a replacement than sees one where both hold, since no model reads along.
 */
export function judgeFacts(older: Fact, newer: Fact): Judgement {
  const apart = keptApart(older, newer);
  if (apart !== undefined) return coexists(apart);
  return denied(older, newer) ?? otherState(older, newer) ?? otherValue(older, newer);
}

/** Why two facts cannot be compared, if so. */
function keptApart(older: Fact, newer: Fact): string | undefined {
  if (!older.single || !newer.single) return 'one of them says more than one thing';
  if (older.letters === newer.letters) return 'they say the same';
  if (older.question || newer.question) return 'one of them asks';
  if (newer.plan !== older.plan && !(older.plan && newer.changed)) return 'one of them is a plan';
  if (older.past || (newer.past && !newer.changed)) return 'one of them tells of the past';
  if (newer.addition) return 'it adds to what was said';
  return undefined;
}

/** The newer one says that what the older says is not so, or no longer; or the other way round. */
function denied(older: Fact, newer: Fact): Judgement | undefined {
  if (older.denies === newer.denies && !newer.denies) return undefined;
  if (tellDifferent(older, newer)) return undefined;
  const [no, yes] = newer.denies ? [newer, older] : [older, newer];
  const said = hard(yes.tokens.filter((token) => !token.denied));
  const refused = keysOf(no.tokens.filter((token) => token.denied));
  const all = keysOf(no.tokens);
  const hits = said.filter(({ key }) => refused.has(key));
  if (hits.length === 0) return undefined;
  const affirmed = hard(no.tokens.filter((token) => !token.denied && token.kind !== 'time'));
  const extras = affirmed.filter(({ key }) => !keysOf(yes.tokens).has(key));
  const isCovered = said.every(({ key }) => all.has(key));
  if (!isCovered || extras.length > 0) return undefined;
  return newer.denies ? replaces('says that this is no longer so') : replaces('says that this is so now');
}

/** The same thing in another state: open and closed, running and failed. */
function otherState(older: Fact, newer: Fact): Judgement | undefined {
  for (const was of older.states) {
    const is = newer.states.find((state) => state.scale === was.scale && state.key !== was.key);
    if (!is || older.states.some(({ key }) => key === is.key)) continue;
    const stateKeys = new Set([...was.keys, ...is.keys]);
    const rest = ({ tokens }: Fact) => hard(tokens).filter(({ key }) => !stateKeys.has(key));
    const there = keysOf(newer.tokens);
    const missing = rest(older).filter(({ key }) => !there.has(key));
    const extras = rest(newer).filter(({ key }) => !keysOf(older.tokens).has(key));
    if (rest(older).length === 0 || missing.length > 0) continue;
    // "got married to Felix"
    const mostExtras = newer.changed || was.scale === 'marriage' ? 1 : 0;
    if (extras.length <= mostExtras && !extras.some(({ scope }) => scope)) {
      return replaces(`${was.key} became ${is.key}`);
    }
  }
  return undefined;
}

function otherValue(older: Fact, newer: Fact): Judgement {
  const difference = differenceOf(older, newer);
  const { was, is, named } = difference;
  if (was.length === 0 && is.length === 0) return otherOrder(older, newer);
  if (was.length === 0 || is.length === 0) return coexists('one of them only says more');
  if (!areComparable(older, newer, difference)) return coexists('they say different things of it');
  const strict = was.length === 1 && is.length === 1 ? swapped(older, newer, difference) : undefined;
  if (strict?.verdict === 'replaces') return strict;
  if (newer.changed || named)
    return changed(older, newer, difference) ?? strict ?? coexists('they share too little');
  return strict ?? coexists('they are about different things');
}

/** The same frame with one other value in it. */
function swapped(older: Fact, newer: Fact, { was, is, shared }: Difference): Judgement {
  const [old = [], next = []] = [was[0], is[0]];
  const unlike =
    differsInKind(old, next) ??
    (hasNumber(old) === hasNumber(next) ? undefined : 'they say different things of it');
  if (unlike !== undefined) return coexists(unlike);
  if (old.length > LONGEST_VALUE || next.length > LONGEST_VALUE) return coexists('they say different things');
  const reason = becameReason(old, next);
  if (isSubject(old) || isSubject(next)) {
    const owned = older.relations.has('own') && newer.relations.has('own');
    return owned && isSubject(old) && isSubject(next) && shared.length > 0
      ? replaces(reason)
      : coexists('they are about different things');
  }
  if (!newer.changed && (older.event || newer.event)) return coexists('they happened at different times');
  if (older.label === 'list' || newer.label === 'list') return coexists('items of one list');
  if (shared.length === 0 && !isSaidByTheSame(older, newer)) return coexists('they share too little');
  if (isAnotherThing(newer, next, shared)) return coexists('one may own several things');
  return singleValued(older, newer, old, next) ?? coexists('both may hold');
}

/** A thing has one owner, but an owner may have several things: "Ben owns the shop", "the owner of the shop is Ben". */
function isAnotherThing(newer: Fact, next: Run, shared: readonly Token[]): boolean {
  const [first] = next;
  const [kept] = shared;
  if (!newer.relations.has('own') || !first || !kept || first.preposition === 'by') return false;
  const placeOf = (key: string) => newer.tokens.findIndex((token) => token.key === key);
  return shared.some(({ subject }) => subject) || placeOf(first.key) < placeOf(kept.key);
}

/** Whether a subject has one such value at a time. */
function singleValued(older: Fact, newer: Fact, old: Run, next: Run): Judgement | undefined {
  const reason = becameReason(old, next);
  const isNumber = [...old, ...next].every(({ kind }) => kind !== 'word');
  const relationsOf = sharedRelations(older, newer);
  // "on Mondays" and "on Thursdays" may both be so.
  const mayRecur =
    !newer.changed &&
    next.some(({ text, detail }) => detail === 'weekday' && /(?:days|weekends)$/.test(text));
  if (isNumber && mayRecur) return next.length > 1 ? undefined : conflicts(reason);
  // "Chapter 3": a number that only tells one from another.
  const isSerial = !older.label && newer.relations.size === 0 && !shareAttribute(older, newer);
  if (isNumber) return isSerial && !newer.changed ? undefined : replaces(reason);
  if (relationsOf.some((relation) => OPEN_RELATIONS.has(relation))) {
    return hasAttribute(older) && !relationsOf.includes('want') ? replaces(reason) : undefined;
  }
  if (older.label && newer.label) return replaces(reason);
  const isSingle = (relation: Relation) =>
    SINGLE_RELATIONS.has(relation) &&
    (relation !== 'run' || next[0]?.preposition !== '' || isProperName(older, next));
  if (relationsOf.some(isSingle) || hasAttribute(older) || shareAttribute(older, newer))
    return replaces(reason);
  if (relationsOf.includes('use')) {
    if (hasPurpose(older, newer) || (newer.changed && !older.changed)) return replaces(reason);
    return newer.changed ? conflicts(reason) : undefined;
  }
  if (isDescribed(older, newer, old, next)) return newer.changed ? conflicts(reason) : undefined;
  if (newer.changed && !next.some(({ indefinite }) => indefinite)) return replaces(reason);
  if (isMixed(old) || isMixed(next) || next.some(({ indefinite }) => indefinite)) return undefined;
  // "Our biggest customer is Globex."
  const isNamed = relationsOf.includes('be') && older.definite && newer.definite;
  return isNamed ? replaces(reason) : conflicts(reason);
}

/** "The laptop runs Ubuntu", but not "run the tests". */
function isProperName(older: Fact, next: Run): boolean {
  return older.tokens.some(({ subject }) => subject) && /^\p{Lu}/u.test(textOf(next));
}

/** "uses Slack for chat": what it is used for is shared, so that another tool takes its place. */
function hasPurpose(older: Fact, newer: Fact): boolean {
  const theirs = keysOf(newer.tokens);
  return hard(older.tokens).some(({ subject, key }) => !subject && theirs.has(key));
}

/** The newer fact says that something changed, in other words than the older one. */
function changed(older: Fact, newer: Fact, difference: Difference): Judgement | undefined {
  const { was, is, shared, named } = difference;
  const values = valuePair(difference, newer.takesOver);
  if (!values) return undefined;
  const [old, next] = values;
  if (differsInKind(old, next, 'loose') !== undefined) return undefined;
  if (!named && hasNumber(old) !== hasNumber(next)) return undefined;
  const lost = was.filter((run) => run !== old && !isIn(run, difference.formerKeys)).flat();
  const extras = is.filter((run) => run !== next).flat();
  const told = extras.filter(({ kind }) => kind !== 'time');
  const isAllNamed = named && lost.length === 0;
  if (shared.length === 0 && !isAllNamed && !isSaidByTheSame(older, newer)) {
    return isUsedByTheSame(older, newer) ? conflicts(becameReason(old, next)) : undefined;
  }
  if (!named && (isMixed(old) || isMixed(next))) return undefined;
  // It names what was, and that is not what the older fact says.
  if (newer.contrasts && !named && newer.tokens.some(({ denied: isDenied }) => isDenied)) return undefined;
  if (hasOtherSubject(older, newer, named)) return undefined;
  // "moved the standup to 10:00", "moved the review to 15:00"
  if (!named && older.changed && lost.length > 0 && told.length > 0) return undefined;
  if ((named ? told : [...lost, ...told]).some(({ scope }) => scope)) return undefined;
  const reason = becameReason(old, next);
  if (!named && !next.every(({ kind }) => kind === 'number')) {
    const relationsOf = sharedRelations(older, newer);
    if (
      relationsOf.some(
        (relation) => relation !== 'want' && relation !== 'prefer' && OPEN_RELATIONS.has(relation),
      )
    )
      return undefined;
    if (relationsOf.includes('use') && shared.length < 2 && older.changed) return conflicts(reason);
  }
  if (!named && isDescribed(older, newer, old, next)) return conflicts(reason);
  const isCounted = kindOf(next) !== 'word';
  const isSingle = sharedRelations(older, newer).some((relation) => SINGLE_RELATIONS.has(relation));
  const isTold = isSingle && !isSubject(lost);
  const mostLost = named ? MOST_EXTRAS : isCounted || isTold ? 1 : 0;
  const isClose = lost.length <= mostLost && told.length <= MOST_EXTRAS;
  if (isClose) return replaces(reason);
  return lost.length <= 2 && shared.length > 1 ? conflicts(reason) : undefined;
}

function otherOrder(older: Fact, newer: Fact): Judgement {
  const order = ({ tokens }: Fact) => tokens.map(({ key }) => key).join(' ');
  const prefers = older.relations.has('prefer') && newer.relations.has('prefer');
  return prefers && order(older) !== order(newer)
    ? replaces('says it the other way round')
    : coexists('they say the same');
}

function becameReason(old: Run, next: Run): string {
  return `${textOf(old)} became ${textOf(next)}`;
}

function replaces(reason: string): Judgement {
  return { verdict: 'replaces', reason };
}

function conflicts(reason: string): Judgement {
  return { verdict: 'conflicts', reason };
}

function coexists(reason: string): Judgement {
  return { verdict: 'coexists', reason };
}
