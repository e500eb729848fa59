import type { Fact } from '../fact/fact.ts';
import { OPEN_RELATIONS } from '../fact/relations.ts';
import { type Difference, valuePair } from './difference.ts';
import { becameReason, coexists, conflicts, type Judgement, replaces } from './judgement.ts';
import { isForSomething, isHoldersOf, isNarrower, tellsOfOtherCase, type Values } from './other-case.ts';
import {
  differsInKind,
  hasNumber,
  isAmount,
  isIn,
  isMixed,
  isNameBeside,
  isSubject,
  kindOf,
  type Run,
  withoutCounted,
} from './run.ts';
import {
  hasOneValue,
  hasOtherSubject,
  isAnotherThing,
  isDescribed,
  isSaidByTheSame,
  isUsedByTheSame,
  mayBeOneOfSeveral,
  sharedRelations,
} from './same-subject.ts';

/** Words beside the value that a fact which says that something changed may add. */
const MOST_EXTRAS = 4;

/** The newer fact says that something changed, in other words than the older one. */
export function changed(older: Fact, newer: Fact, difference: Difference): Judgement | undefined {
  const { was, is, named, formerKeys } = difference;
  const [value, next] = valuePair(difference, newer.takesOver) ?? [];
  if (!value || !next) return undefined;
  const old = withoutCounted(value, next);
  if (differsInKind(old, next, 'loose') !== undefined) return undefined;
  if (!named && hasNumber(old) !== hasNumber(next)) return undefined;
  const lost = was.filter((run) => run !== value && !isIn(run, formerKeys)).flat();
  const extras = is.filter((run) => run !== next).flat();
  const values = { old, next, lost, extras };
  const apart = named ? undefined : tellsOfOtherCase(older, newer, difference, values);
  if (apart !== undefined) return coexists(apart);
  if (areOtherCases(older, newer, values) || (named && isOfOtherPlace(values)))
    return coexists('they tell of different cases');
  return judgeChange(older, newer, difference, values);
}

/** Whether the older fact says of another place what the newer one says of this. */
function isOfOtherPlace({ old, next, lost }: Values): boolean {
  const preposition = next[0]?.preposition ?? '';
  if (preposition === '' || preposition === old[0]?.preposition) return false;
  return lost.some((token) => token.kind === 'word' && token.preposition === preposition);
}

/** Judges two facts of which the newer one says that a value became another. */
function judgeChange(
  older: Fact,
  newer: Fact,
  difference: Difference,
  values: Values,
): Judgement | undefined {
  const { shared, named } = difference;
  const { old, next, lost, extras } = values;
  const reason = becameReason(old, next);
  const told = extras.filter(({ kind }) => kind !== 'time');
  const words = shared.filter(({ kind }) => kind === 'word');
  // A number is the same of many things.
  const isNamedByWord = named && old.some(({ kind }) => kind === 'word');
  const isAllNamed = isNamedByWord && lost.length === 0;
  if (words.length === 0 && !isAllNamed && !isSaidByTheSame(older, newer)) {
    if (!isUsedByTheSame(older, newer)) return undefined;
    return isNamedByWord && told.length === 0 ? replaces(reason) : conflicts(reason);
  }
  if (!named && (isMixed(old) || isMixed(next))) return undefined;
  const isCounted = kindOf(next) !== 'word';
  // "the supplier lowered the minimum order to 24": what was done to it, whoever did it.
  const isDone = words.length > 1 && !words.some(({ subject }) => subject);
  const isOfSame = isCounted && lost.length === 0 && (isDone || next.some(({ detail }) => detail !== ''));
  const isOther = hasOtherSubject(older, newer, named);
  if (isOther && (!isOfSame || isNarrower(newer, older))) return undefined;
  // "moved the standup to 10:00", "moved the review to 15:00"
  if (!named && older.changed && lost.length > 0 && told.length > 0) return undefined;
  if ((named ? told : [...lost, ...told]).some(({ scope }) => scope)) return undefined;
  if (!named && !next.every(({ kind }) => kind === 'number')) {
    const relations = sharedRelations(older, newer);
    if (relations.some((one) => one !== 'want' && one !== 'prefer' && OPEN_RELATIONS.has(one)))
      return undefined;
    if (relations.includes('use') && shared.length < 2 && older.changed) return conflicts(reason);
  }
  if (!named && mayBothHold(older, newer, difference, values)) return conflicts(reason);
  const isTold = hasOneValue(older, newer, next) && !isSubject(lost);
  const mostLost = named ? MOST_EXTRAS : isCounted || isTold ? 1 : 0;
  const isClose = lost.length <= mostLost && told.length <= MOST_EXTRAS;
  if (isClose) return !named && isNameBeside(old, next) ? conflicts(reason) : replaces(reason);
  return lost.length <= 2 && shared.length > 1 ? conflicts(reason) : undefined;
}

/** Whether what the newer fact says may be of another thing, or come beside what the older one says. */
function mayBothHold(
  older: Fact,
  newer: Fact,
  { shared }: Difference,
  { old, next, lost, extras }: Values,
): boolean {
  if (isDescribed(older, newer, old, next)) return true;
  if (isAnotherThing(older, newer, next, shared) || isHoldersOf(newer, next, shared)) return true;
  // "Audit log retention", "log retention"
  if (lost.some(({ subject, kind }) => subject && kind === 'word') && isNarrower(older, newer)) return true;
  // "The loan period is 21 days", "The loan period for DVDs is now 7 days"
  if (next.some(isAmount))
    return lost.length === 0 && (extras.some(isForSomething) || namesCase(newer, next, extras));
  if (kindOf(next) !== 'word' || lost.length > 0) return false;
  if (mayBeOneOfSeveral(older, newer, old, next)) return true;
  return sharedRelations(older, newer).includes('run') && !hasOneValue(older, newer, next);
}

/** "Entry for kids costs 5 euros", "Entry for adults now costs 12 euros" */
function areOtherCases(older: Fact, newer: Fact, { old, next, lost, extras }: Values): boolean {
  return namesCase(older, old, lost) && namesCase(newer, next, extras);
}

/** Whether some words of a fact stand before its value and say of what it is one: "Shipping to Norway costs 12 euros". */
function namesCase({ tokens }: Fact, value: Run, some: Run): boolean {
  const place = tokens.findIndex(({ key }) => key === value[0]?.key);
  return tokens
    .slice(0, Math.max(0, place))
    .some((token) => some.includes(token) && token.kind === 'word' && token.preposition !== '');
}
