import type { QueryConfig } from 'pg';

/** Longer texts are not prepared, in characters. */
const MAX_LENGTH = 12_000;
/** Most statements that are prepared: a server keeps all of them for every connection. */
const MAX_NAMES = 300;
const names = new Map<string, string>();

/**
 * Names a statement, so that the server parses it once per connection and may cache its plan. Statements whose text varies
 * soon use up the names; all further ones are parsed each time.
 */
export function nameStatement<Config extends QueryConfig>(config: Config): Config {
  const { text } = config;
  let name = names.get(text);
  if (name === undefined && names.size < MAX_NAMES && text.length <= MAX_LENGTH && isStatement(text)) {
    name = `svc_${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? config : { ...config, name };
}

/** Whether naming pays: savepoints and similar commands take no time to parse, and their texts vary endlessly. */
function isStatement(text: string): boolean {
  return /^\s*(select|insert|update|delete|with)\b/i.test(text);
}

/** A value of a statement as the protocol takes it: text that the server reads by the type of the parameter, or its binary form. */
export type Bound = string | Buffer | null;

/** @throws TypeError for any other object: it would be sent as its name. */
export function bind(value: unknown): Bound {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (typeof value === 'object')
    throw new TypeError('a statement takes texts, numbers, truth values and bytes');
  return String(value);
}
