import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { parseInput } from './parse.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Takes what a plugin made of the fields of a request. Those that it changed are checked as if a caller had sent them; the others
 * were checked before, or are the service's own.
 *
 * @param shape Schemas of the fields of the request.
 * @returns `given` itself where nothing is changed.
 * @throws SvcError `VALIDATION_ERROR` that names what cannot be used.
 */
export function acceptFields<Value extends object>(
  shape: Readonly<Record<string, z.ZodType>>,
  answered: unknown,
  given: Value,
): Value {
  if (typeof answered !== 'object' || answered === null || Array.isArray(answered)) {
    throw new TypeError('it must be an object of the same fields, or nothing');
  }
  const [before, after] = [given as Fields, answered as Fields];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
  if (changed.length === 0) return given;
  const known = changed.flatMap((name) => (Object.hasOwn(shape, name) ? [[name, shape[name]]] : []));
  const sent = Object.fromEntries(changed.map((name) => [name, after[name]]));
  const parsed = parseInput(z.strictObject(Object.fromEntries(known)), toJson(sent));
  const kept = names.filter((name) => !changed.includes(name)).map((name) => [name, before[name]]);
  return { ...Object.fromEntries(kept), ...parsed } as Value;
}

/** The same as a caller would send it: times are texts there. */
function toJson(fields: Fields): unknown {
  return JSON.parse(JSON.stringify(fields));
}
