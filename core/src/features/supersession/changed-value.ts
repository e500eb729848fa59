import { type Difference, valuePair } from './difference.ts';
import type { Fact, Token } from './fact.ts';
import { becameReason, conflicts, type Judgement, replaces } from './judgement.ts';
import { OPEN_RELATIONS, SINGLE_RELATIONS } from './relations.ts';
import {
  differsInKind,
  hasNumber,
  isIn,
  isMixed,
  isNameBeside,
  isSubject,
  kindOf,
  withoutCounted,
} from './run.ts';
import {
  hasOtherSubject,
  isDescribed,
  isSaidByTheSame,
  isUsedByTheSame,
  sharedRelations,
} from './same-subject.ts';

/** Words beside the value that a fact which says that something changed may add. */
const MOST_EXTRAS = 4;

/** The newer fact says that something changed, in other words than the older one. */
export function changed(older: Fact, newer: Fact, difference: Difference): Judgement | undefined {
  const { was, is, shared, named } = difference;
  const values = valuePair(difference, newer.takesOver);
  if (!values) return undefined;
  const [, next] = values;
  const old = withoutCounted(values[0], next);
  if (differsInKind(old, next, 'loose') !== undefined) return undefined;
  if (!named && hasNumber(old) !== hasNumber(next)) return undefined;
  const lost = was.filter((run) => run !== values[0] && !isIn(run, difference.formerKeys)).flat();
  const extras = is.filter((run) => run !== next).flat();
  const told = extras.filter(({ kind }) => kind !== 'time');
  // A number is the same of many things.
  const isNamedByWord = named && old.some(({ kind }) => kind === 'word');
  const isAllNamed = isNamedByWord && lost.length === 0;
  const words = shared.filter(({ kind }) => kind === 'word');
  if (words.length === 0 && !isAllNamed && !isSaidByTheSame(older, newer)) {
    if (!isUsedByTheSame(older, newer)) return undefined;
    return isNamedByWord && told.length === 0
      ? replaces(becameReason(old, next))
      : conflicts(becameReason(old, next));
  }
  if (!named && (isMixed(old) || isMixed(next))) return undefined;
  const isMeasured = kindOf(next) !== 'word' && lost.length === 0 && next.some(({ detail }) => detail !== '');
  // "the supplier lowered the minimum order to 24": what was done to it, whoever did it.
  const isDoneTo = kindOf(next) !== 'word' && lost.length === 0 && words.length > 1 && !isAnySubject(words);
  if (!isMeasured && !isDoneTo && hasOtherSubject(older, newer, named)) return undefined;
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
  if (isClose) return !named && isNameBeside(old, next) ? conflicts(reason) : replaces(reason);
  return lost.length <= 2 && shared.length > 1 ? conflicts(reason) : undefined;
}

function isAnySubject(tokens: readonly Token[]): boolean {
  return tokens.some(({ subject }) => subject);
}
