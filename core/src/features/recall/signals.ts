import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import { sketchOfId } from '../search-index/sketch.ts';
import type { Candidate } from './candidates.ts';
import type { RecallSignal } from './contract.ts';
import type { RecallContext } from './ranking/context.ts';

/** Removes signals from a search. */
interface Mask {
  query(query: AnalyzedQuery): AnalyzedQuery;
  candidates(all: readonly Candidate[]): readonly Candidate[];
  surroundings(context: RecallContext): RecallContext;
}

const NO_MASK: Mask = {
  query: (query) => query,
  candidates: (all) => all,
  surroundings: (context) => context,
};

/** Creates a mask for some signals, to measure their effect. By default recall uses all of them. */
export function withoutSignals(without: readonly RecallSignal[]): Mask {
  if (without.length === 0) return NO_MASK;
  const lacks = (signal: RecallSignal) => without.includes(signal);
  return {
    query: ({ period, ...query }: AnalyzedQuery): AnalyzedQuery =>
      lacks('time') || period === undefined
        ? { ...query, newest: query.newest && !lacks('time') }
        : { ...query, period },
    candidates: (all: readonly Candidate[]): readonly Candidate[] =>
      // Field by field: not all of a candidate's are its own, as a spread takes them.
      all.map((one) => ({
        id: one.id,
        type: one.type,
        length: one.length,
        time: one.time,
        validFrom: one.validFrom,
        validTo: one.validTo,
        matched: lacks('words') ? [] : one.matched,
        cosine: lacks('vectors') ? null : one.cosine,
        importance: lacks('importance') ? 0 : one.importance,
        supersededBy: lacks('newer') ? null : one.supersededBy,
        conflictsWith: lacks('newer') ? null : one.conflictsWith,
        createdAt: one.createdAt,
        updatedAt: one.updatedAt,
        fingerprint: lacks('copies') ? one.id : one.fingerprint,
        sketch: lacks('copies') ? sketchOfId(one.id) : one.sketch,
        source: lacks('copies') ? '' : one.source,
      })),
    surroundings: ({ links, contents }: RecallContext): RecallContext => ({
      links: lacks('neighbours') ? [] : links,
      contents: lacks('wording') ? new Map([...contents.keys()].map((id) => [id, ''])) : contents,
    }),
  };
}
