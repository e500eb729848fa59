import type { Fact } from '../fact/fact.ts';
import { OPEN_RELATIONS } from '../fact/relations.ts';
import { changed } from './changed-value.ts';
import { type Difference, differenceOf, formerThing, hard, keysOf } from './difference.ts';
import { becameReason, coexists, conflicts, type Judgement, replaces } from './judgement.ts';
import { isHoldersOf, tellsOfOtherCase } from './other-case.ts';
import {
  handedOver,
  joinsAnother,
  livesElsewhere,
  movedHome,
  movesToNoPlace,
  otherHolder,
  otherVersion,
} from './other-holder.ts';
import { otherOrder } from './other-statement.ts';
import { differsInKind, hasNumber, isAmount, isMixed, isSubject, type Run } from './run.ts';
import { isOfPerson } from './same-attribute.ts';
import {
  areComparable,
  hasAttribute,
  hasOneValue,
  inOtherRole,
  isAnotherThing,
  isDescribed,
  isSaidByTheSame,
  mayBeOneOfSeveral,
  shareAttribute,
  sharedRelations,
} from './same-subject.ts';

/** Words of a value; longer differences are other statements. */
const LONGEST_VALUE = 5;

export function otherValue(older: Fact, newer: Fact): Judgement {
  const difference = differenceOf(older, newer);
  const judgement = judgeDifference(older, newer, difference);
  return (judgement.verdict === 'coexists' && joinsAnother(older, newer, difference)) || judgement;
}

function judgeDifference(older: Fact, newer: Fact, difference: Difference): Judgement {
  const { was, is, named } = difference;
  if (was.length === 0 && is.length === 0) return otherOrder(older, newer);
  if (was.length === 0 || is.length === 0) return coexists('one of them only says more');
  // Most facts that share some words differ in several places, and neither says that anything changed.
  const isSwap = was.length === 1 && is.length === 1;
  if (!isSwap && !newer.changed && !named && !newer.moves) return coexists('they are about different things');
  // "The docs live on the wiki": a thing may go anywhere.
  const isHome = older.relations.has('live') && isOfPerson(older, newer);
  if (isHome && movesToNoPlace(newer)) return coexists('it tells of another move');
  const held =
    otherHolder(older, newer, difference) ??
    handedOver(newer, difference) ??
    otherVersion(older, newer) ??
    livesElsewhere(older, newer) ??
    movedHome(older, newer, difference);
  if (held) return held;
  // It names what was, and that is not what the older fact says.
  if (newer.contrasts && !named && namesAnother(older, newer))
    return coexists('it names something else that was');
  if (!named && older.denies && newer.denies) return coexists('each says that something else is over');
  // What happened is not undone by what happens next.
  if (!named && older.event) return coexists('it tells what happened once');
  if (inOtherRole(older, newer, difference)) return coexists('they tell of different roles');
  if (!areComparable(older, newer, difference)) return coexists('they say different things of it');
  const strict = isSwap ? swapped(older, newer, difference) : undefined;
  if (strict?.verdict === 'replaces') return strict;
  if (newer.changed || named)
    return changed(older, newer, difference) ?? strict ?? coexists('they share too little');
  return strict ?? coexists('they are about different things');
}

function namesAnother({ content }: Fact, newer: Fact): boolean {
  const was = formerThing(newer.tokens);
  const said = content.toLowerCase();
  return was.length > 0 && !was.some(({ text }) => said.includes(text.toLowerCase()));
}

/** The same frame with one other value in it. */
function swapped(older: Fact, newer: Fact, difference: Difference): Judgement {
  const { was, is, shared } = difference;
  const [old = [], next = []] = [was[0], is[0]];
  if (tellsOfPeriods(old) && tellsOfPeriods(next)) return coexists('they tell of different times');
  const unlike =
    differsInKind(old, next) ??
    (hasNumber(old) === hasNumber(next) ? undefined : 'they say different things of it');
  if (unlike !== undefined) return coexists(unlike);
  if (old.length > LONGEST_VALUE || next.length > LONGEST_VALUE) return coexists('they say different things');
  const reason = becameReason(old, next);
  const apart = tellsOfOtherCase(older, newer, difference, { old, next, lost: [], extras: [] });
  if (apart !== undefined) return coexists(apart);
  if (isSubject(old) || isSubject(next)) {
    const owned = older.relations.has('own') && newer.relations.has('own');
    return owned && isSubject(old) && isSubject(next) && shared.length > 0
      ? replaces(reason)
      : coexists('they are about different things');
  }
  if (!newer.changed && (older.event || newer.event)) return coexists('they happened at different times');
  if (older.label === 'list' || newer.label === 'list') return coexists('items of one list');
  if (shared.length === 0 && !isSaidByTheSame(older, newer)) return coexists('they share too little');
  if (isAnotherThing(older, newer, next, shared))
    return newer.changed ? conflicts(reason) : coexists('one may own several things');
  if (newer.changed && isHoldersOf(newer, next, shared)) return conflicts(reason);
  return singleValued(older, newer, old, next) ?? coexists('both may hold');
}

/** "January 12,400": a figure with the time that it is of. */
function tellsOfPeriods(run: Run): boolean {
  return run.some(({ kind }) => kind === 'time') && run.some(({ kind }) => kind === 'number');
}

/** Whether a subject has one such value at a time. */
function singleValued(older: Fact, newer: Fact, old: Run, next: Run): Judgement | undefined {
  const isWord = [...old, ...next].some(({ kind }) => kind === 'word');
  return isWord ? singleWord(older, newer, old, next) : singleNumber(older, newer, old, next);
}

/** The same of numbers and times. */
function singleNumber(older: Fact, newer: Fact, old: Run, next: Run): Judgement | undefined {
  const reason = becameReason(old, next);
  // "on Mondays" and "on Thursdays" may both be so.
  const recurs = next.some(({ text, detail }) => detail === 'weekday' && /(?:days|weekends)$/.test(text));
  if (recurs && !newer.changed) return next.length > 1 ? undefined : conflicts(reason);
  // "The appointment with Dr. Weiss is on 5 May", and another on 19 June.
  const isDate = [...old, ...next].some(({ detail }) => DATED.has(detail));
  const isKnown = newer.changed || hasAttribute(older) || shareAttribute(older, newer);
  if (isDate && !isKnown && !DATED_RELATIONS.some((relation) => older.relations.has(relation)))
    return conflicts(reason);
  // "Chapter 3": a number that only tells one from another.
  const isAttribute = older.label || shareAttribute(older, newer) || shareHabit(older, newer, next);
  const isSerial = newer.relations.size === 0 && !isAttribute;
  return isSerial && !newer.changed ? undefined : replaces(reason);
}

/** The same of values that are words, or hold some. */
function singleWord(older: Fact, newer: Fact, old: Run, next: Run): Judgement | undefined {
  const reason = becameReason(old, next);
  const relations = sharedRelations(older, newer);
  // "prefers dark mode": of a mode one is preferred.
  if (relations.includes('prefer') && shareAttribute(older, newer)) return replaces(reason);
  if (relations.some((relation) => OPEN_RELATIONS.has(relation)))
    return hasAttribute(older) && !relations.includes('want') ? replaces(reason) : undefined;
  if (older.label && newer.label) return replaces(reason);
  if (hasOneValue(older, newer, next) || hasAttribute(older) || shareAttribute(older, newer))
    return replaces(reason);
  if (relations.includes('use')) {
    if (hasPurpose(older, newer) || (newer.changed && !older.changed)) return replaces(reason);
    return newer.changed ? conflicts(reason) : undefined;
  }
  if (isDescribed(older, newer, old, next)) return newer.changed ? conflicts(reason) : undefined;
  const isIndefinite = next.some(({ indefinite }) => indefinite);
  if (newer.changed && !isIndefinite)
    return mayBeOneOfSeveral(older, newer, old, next) ? conflicts(reason) : replaces(reason);
  if (isMixed(old) || isMixed(next) || isIndefinite) return undefined;
  // "Our biggest customer is Globex."
  const isNamed = relations.includes('be') && older.definite && newer.definite;
  return isNamed ? replaces(reason) : conflicts(reason);
}

const DATED_RELATIONS = ['begin', 'finish', 'planned'] as const;
/** "takes 50 mg every morning", "takes 75 mg every morning" */
function shareHabit(older: Fact, newer: Fact, next: Run): boolean {
  const said = keysOf(older.tokens);
  return (
    next.every(isAmount) && newer.tokens.some(({ detail, key }) => detail === 'partOfDay' && said.has(key))
  );
}

/** What a date names, beside an hour. */
const DATED = new Set(['month', 'day', 'date', 'year', 'weekday']);

/** "uses Slack for chat": what it is used for is shared, so that another tool takes its place. */
function hasPurpose(older: Fact, newer: Fact): boolean {
  const theirs = keysOf(newer.tokens);
  return hard(older.tokens).some(({ subject, key }) => !subject && theirs.has(key));
}
