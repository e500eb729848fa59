import { fold } from '../../text/words.ts';
import type { Token } from './fact.ts';
import { isCountry } from './places.ts';

export type Run = readonly Token[];

export function differsInKind(old: Run, next: Run, how: 'strict' | 'loose' = 'strict'): string | undefined {
  const kind = kindOf(old);
  if (kind !== kindOf(next)) return 'they say different things of it';
  if (kind === 'number' && !measureAlike(old, next, how)) return 'they measure different things';
  if (kind === 'time' && partsOf(old) !== partsOf(next)) return 'they name different parts of a date';
  const words = (run: Run) => run.filter((token) => token.kind === 'word');
  const measures = (run: Run) => run.some((token) => token.kind === 'number' && token.detail !== '');
  if (kind === 'word' && measures(old) && measures(next) && words(old).length > 0) {
    return 'they measure different things';
  }
  if (kind === 'word' && refines(old, next)) return 'one of them only says it more exactly';
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

/** "90 dollars an hour" and, of what was raised, "110 dollars". */
function measureAlike(old: Run, next: Run, how: 'strict' | 'loose'): boolean {
  const [was, is] = [dimensionOf(old), dimensionOf(next)];
  if (was === is) return true;
  const isRateOf = (rate: string, base: string) => base !== '' && rate.startsWith(`${base} per `);
  return how === 'loose' && (isRateOf(was, is) || isRateOf(is, was));
}

function dimensionOf(run: Run): string {
  return run.map(({ detail }) => detail).join(' ');
}

function partsOf(run: Run): string {
  return [...new Set(run.map(({ detail }) => detail))].sort().join(' ');
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
