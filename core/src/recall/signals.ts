import type { AnalyzedQuery } from './analyze.ts';
import type { Proposed } from './prefer-newer.ts';
import type { RecallContext } from './rank-context.ts';

/** What speaks for or against a memory in a recall; each can be left out, to see what it gives (`npm run eval`). */
export const RECALL_SIGNALS = [
  /** The query's words in the memory. */
  'words',
  /** Nearness of meaning. */
  'vectors',
  /** The time that the query names or asks for. */
  'time',
  'importance',
  /** Memories next to it in the same session. */
  'neighbours',
  /** What the text itself tells: the query word for word, its speaker, a time, a question. */
  'wording',
  /** That a newer memory contradicts it. */
  'newer',
  /** That a better result says the same. */
  'copies',
] as const;
export type RecallSignal = (typeof RECALL_SIGNALS)[number];

/** Blinds a recall for some signals. */
export function blindfold(without: readonly RecallSignal[]) {
  const lacks = (signal: RecallSignal) => without.includes(signal);
  return {
    query: ({ period, ...query }: AnalyzedQuery): AnalyzedQuery =>
      lacks('time') || period === undefined
        ? { ...query, newest: query.newest && !lacks('time') }
        : { ...query, period },
    candidates: (all: readonly Proposed[]): readonly Proposed[] =>
      all.map((one) => ({
        ...one,
        ...(lacks('words') ? { matched: [] } : {}),
        ...(lacks('vectors') ? { cosine: null } : {}),
        ...(lacks('importance') ? { importance: 0 } : {}),
        ...(lacks('newer') ? { supersededBy: null } : {}),
        ...(lacks('copies') ? { fingerprint: one.id } : {}),
      })),
    surroundings: ({ links, contents }: RecallContext): RecallContext => ({
      links: lacks('neighbours') ? [] : links,
      contents: lacks('wording') ? new Map([...contents.keys()].map((id) => [id, ''])) : contents,
    }),
  };
}
