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
