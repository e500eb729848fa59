import { readFile } from 'node:fs/promises';

/** What the client process is told. */
export interface ClientOrders {
  readonly name: string;
  readonly targets: readonly string[];
  readonly apiKey: string;
  readonly journal: string;
  readonly writers: number;
  readonly pauseMs: number;
  readonly timeoutMs: number;
  readonly seed: number;
}

/** One line of the client's journal; times are milliseconds since the epoch. */
export type Entry =
  | {
      readonly kind: 'sent';
      readonly op: string;
      readonly target: string;
      readonly at: number;
      readonly hashes: readonly string[];
    }
  | {
      readonly kind: 'acknowledged';
      readonly op: string;
      readonly target: string;
      readonly at: number;
      readonly sent: number;
      readonly ids: readonly string[];
      readonly hashes: readonly string[];
    }
  | {
      readonly kind: 'failed';
      readonly op: string;
      readonly target: string;
      readonly at: number;
      readonly sent: number;
      readonly code: string;
      readonly retryAfter?: string;
      readonly message?: string;
    };

/** Reads what a client has written down. */
export async function readJournal(file: string): Promise<Entry[]> {
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Entry);
}

/** Hashes of all acknowledged memories by id. */
export function acknowledgedIn(journal: readonly Entry[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of journal) {
    if (entry.kind !== 'acknowledged') continue;
    for (const [place, id] of entry.ids.entries()) found.set(id, entry.hashes[place] ?? '');
  }
  return found;
}

/** How many answers there were of each kind. */
export function codesIn(journal: readonly Entry[]): Record<string, number> {
  const codes: Record<string, number> = {};
  for (const entry of journal) {
    if (entry.kind === 'sent') continue;
    const code = entry.kind === 'failed' ? entry.code : 'ok';
    codes[code] = (codes[code] ?? 0) + 1;
  }
  return codes;
}

/** What the failed answers of a kind said, each once. */
export function messagesOf(journal: readonly Entry[], code: string): readonly string[] {
  const said = journal.flatMap((entry) =>
    entry.kind === 'failed' && entry.code === code && entry.message ? [entry.message] : [],
  );
  return [...new Set(said)];
}

/** Milliseconds from a moment until every target has acknowledged something that was sent after it. */
export function recoveryAfter(journal: readonly Entry[], moment: number): number {
  const first = new Map<string, number>();
  for (const entry of journal) {
    if (entry.kind === 'sent') {
      if (entry.at >= moment && !first.has(entry.target)) first.set(entry.target, Number.POSITIVE_INFINITY);
    } else if (entry.kind === 'acknowledged' && entry.sent >= moment) {
      first.set(entry.target, Math.min(first.get(entry.target) ?? Number.POSITIVE_INFINITY, entry.at));
    }
  }
  return Math.max(0, ...[...first.values()].map((at) => at - moment));
}
