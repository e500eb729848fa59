import { breakRuns } from './tokens.ts';
import { makeVisible } from './visible.ts';

// A lone CR, NEL, U+2028 and their kin break lines in one reader or another, so they do here.
const LINE_BREAK = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/;

/** The lines of a stored text as a model may see them: what hides in them is named, endless runs are broken. */
export function quoteLines(content: string): string[] {
  const lines = content.split(LINE_BREAK).map(makeVisible);
  return breakRuns(lines.join('\n')).trim().split('\n');
}

/**
 * Lines as an entry of an injection: `- [facts] first line`, every further line behind `  > `. Whatever the lines hold, only
 * the first starts at column 0, and that one with `- [`.
 */
export function quoteEntry(facts: readonly string[], lines: readonly string[]): string {
  const [first = '', ...rest] = lines;
  const head = `- [${facts.join(', ')}]${first === '' ? '' : ` ${first}`}\n`;
  return head + rest.map((line) => (line === '' ? '  >\n' : `  > ${line}\n`)).join('');
}

/** What a reader should know about a memory by who said it: what the agent said itself needs no mark. */
const SAID_BY: ReadonlyMap<string, string> = new Map([
  ['human', 'by the human'],
  ['sync', 'synced'],
  ['import', 'imported'],
  ['webhook', 'from a transcript'],
  ['reflection', 'by reflection'],
]);

/** What an injection, or a recalled text, says beside a memory of who said it; undefined where the agent did. */
export function saidBy(source: string | undefined): string | undefined {
  return source === undefined ? undefined : SAID_BY.get(source);
}

/** Whether what a source said may be the words of others than the agent and its human. */
export function mayBeOfOthers(source: string | undefined): boolean {
  return source !== 'human' && saidBy(source) !== undefined;
}
