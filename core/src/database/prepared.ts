import type { QueryConfig } from 'pg';

/** Longest text of a statement worth keeping prepared, in characters. */
const LONGEST = 12_000;
/** Different statements kept prepared: a server holds them all for every connection. */
const MOST = 300;
const names = new Map<string, string>();

/**
 * Names a statement, so that the server parses it once a connection and may keep its plan. Statements whose text changes
 * with their size soon use up the names; those left over are parsed each time.
 */
export function prepared<Config extends QueryConfig>(config: Config): Config {
  const { text } = config;
  let name = names.get(text);
  if (name === undefined && names.size < MOST && text.length <= LONGEST && isStatement(text)) {
    name = `svc_${names.size}`;
    names.set(text, name);
  }
  return name === undefined ? config : { ...config, name };
}

/** Savepoints and the like take no time to parse, and their text has no end of variants. */
function isStatement(text: string): boolean {
  return /^\s*(select|insert|update|delete|with)\b/i.test(text);
}
