import { fold } from '../../../text/words.ts';
import type { Token } from '../fact/fact.ts';
import { isCountry } from '../fact/places.ts';
import { AGE } from '../fact/token-list.ts';

export type Run = readonly Token[];

/** A number with what it counts, beside a number alone: "3 nodes", "has 5 now". */
export function withoutCounted(old: Run, next: Run): Run {
  const [first, ...rest] = old;
  const isCounting = first?.kind === 'number' && rest.length > 0 && rest.every(({ kind }) => kind === 'word');
  return isCounting && next.length === 1 && kindOf(next) === 'number' ? [first] : old;
}

export function differsInKind(old: Run, next: Run, how: 'strict' | 'loose' = 'strict'): string | undefined {
  const kind = kindOf(old);
  if (kind !== kindOf(next)) return 'they say different things of it';
  if (kind === 'number' && !measureAlike(old, next, how)) return 'they measure different things';
  if (kind === 'time' && joinedDistinctDetails(old) !== joinedDistinctDetails(next))
    return 'they name different parts of a date';
  const words = (run: Run) => run.filter((token) => token.kind === 'word');
  if (kind === 'word' && old.some(isAmount) && next.some(isAmount) && words(old).length > 0) {
    return 'they measure different things';
  }
  if (kind === 'word' && how === 'strict' && countsOther(old, next)) return 'they count different things';
  if (kind === 'word' && how === 'strict' && isAddress(old) !== isAddress(next))
    return 'they say different things of it';
  if (kind === 'word' && refines(old, next) && !(how === 'loose' && isCountry(fold(textOf(old)))))
    return 'one of them only says it more exactly';
  return undefined;
}

export function kindOf(run: Run): Token['kind'] {
  const kinds = new Set(run.map(({ kind }) => kind));
  return kinds.size === 1 ? (run[0]?.kind ?? 'word') : 'word';
}

export function hasNumber(run: Run): boolean {
  return run.some(({ kind }) => kind === 'number');
}

/** A number with words beside it, such as "Node 18". */
export function isMixed(run: Run): boolean {
  return hasNumber(run) && kindOf(run) === 'word';
}

/** "six people" and "400 loaves"; but "12 Elm Street" counts nothing. */
function countsOther(old: Run, next: Run): boolean {
  const [was, is] = [countedIn(old), countedIn(next)];
  return was.length > 0 && is.length > 0 && !was.some((key) => is.includes(key));
}

function countedIn(run: Run): string[] {
  return run.flatMap(({ kind }, at) => {
    const counted = run[at + 1];
    return kind === 'number' && counted?.kind === 'word' && /^\p{Ll}/u.test(counted.text) ? counted.key : [];
  });
}

/** "90 dollars an hour" and, of what was raised, "110 dollars". */
function measureAlike(old: Run, next: Run, how: 'strict' | 'loose'): boolean {
  const [was, is] = [joinedDetails(old), joinedDetails(next)];
  if (was === is) return true;
  // "is 29", "turned 30"
  if (was === '' && is === AGE && old.length === 1 && old[0]?.preposition === '') return true;
  if (how === 'strict') return false;
  const isRateOf = (rate: string, base: string) => base !== '' && rate.startsWith(`${base} per `);
  // "3 years", "turned 4"
  return isRateOf(was, is) || isRateOf(is, was) || (is === '' && next.length === 1);
}

/** The dimensions of numbers, or the parts of a date that times name. */
export function joinedDetails(run: Run): string {
  return run.map(({ detail }) => detail).join(' ');
}

function joinedDistinctDetails(run: Run): string {
  return [...new Set(run.map(({ detail }) => detail))].sort().join(' ');
}

/** Whether a token is an amount of something, not a number alone. */
export function isAmount({ kind, detail }: Token): boolean {
  return kind === 'number' && detail !== '';
}

/** Whether a word begins with a capital, as names do. */
export function isCapitalized({ text }: Pick<Token, 'text'>): boolean {
  return /^\p{Lu}/u.test(text);
}

/** Whether all of it are words that begin with capitals. */
export function isProperName(run: Run): boolean {
  return run.every((token) => token.kind === 'word' && isCapitalized(token));
}

/** A path, a mail address, a web address. */
function isAddress(run: Run): boolean {
  return run.some(({ text }) => /^[/~]|:\/\/|.@./.test(text));
}

/** A name, and words that name nothing: "Petrov" and "rent". */
export function isNameBeside(old: Run, next: Run): boolean {
  const words = (run: Run) => run.filter(({ kind, detail }) => kind === 'word' && detail === '');
  const [mine, theirs] = [words(old), words(next)];
  return (
    mine.length > 0 &&
    theirs.length === next.length &&
    theirs.length > 0 &&
    mine.every(isCapitalized) &&
    theirs.every(({ text }) => /^\p{Ll}/u.test(text))
  );
}

/** "Berlin" and "Berlin-Kreuzberg", "Portugal" and "Lisbon". */
function refines(old: Run, next: Run): boolean {
  const [was, is] = [fold(textOf(old)), fold(textOf(next))];
  return was.startsWith(`${is}-`) || is.startsWith(`${was}-`) || isCountry(was) !== isCountry(is);
}

export function isIn(run: Run, keys: ReadonlySet<string>): boolean {
  return run.some(({ key }) => keys.has(key));
}

export function isSubject(run: Run): boolean {
  return run.every(({ subject }) => subject);
}

export function textOf(run: Run): string {
  return run.map(({ text }) => text).join(' ');
}
