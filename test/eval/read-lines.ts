import { readFileSync } from 'node:fs';

/** Reads a file of this folder with a JSON value in each line. */
export function readLines<Value>(path: string): Value[] {
  return readFileSync(new URL(path, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Value => JSON.parse(line));
}
