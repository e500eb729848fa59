import { DAY_MS } from '../../../kernel/runtime/durations.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import type { Period } from '../../../text/time/period.ts';
import type { Corpus, RankInput } from './input.ts';
import { shareBesideWords } from './lexical.ts';
import { EVEN } from './similarity.ts';

/** What being from the time a query names multiplies a memory's evidence by, at most. */
const PERIOD_GAIN = 0.4;
/** What a short time tells that a question names, beside one of its words. */
const PERIOD_WEIGHT = 0.6;
/** What being the newest of the candidates gains when the query asks for the newest. */
const NEWEST_GAIN = 0.25;

/**
 * Evidence of being from the time that a query names which names nothing else: enough for a result. Of its other words hardly more
 * than their order counts, so that one that holds "discussed" does not push the others of that day out.
 */
const ALONE = { evidence: EVEN, others: 0.1 };

/** The evidence that a candidate is what a query asks for that names nothing but a time; of other queries, what it has. */
export function withTime(query: AnalyzedQuery): (evidence: number, candidate: RankInput) => number {
  const { period, hasTopic } = query;
  if (hasTopic || period === undefined) return (evidence) => evidence;
  return (evidence, { time }) => (isWithin(period, time) ? ALONE.evidence : 0) + ALONE.others * evidence;
}

/**
 * Evidence of being from the short time that a question names besides a topic. It counts as one of its words does: the more, the
 * fewer memories are from then, and the more common its other words are.
 */
export function periodEvidence(
  query: AnalyzedQuery,
  corpus: Corpus,
  candidates: readonly RankInput[],
): (candidate: RankInput) => number {
  const { period, periodTells } = query;
  if (period === undefined || !periodTells) return () => 0;
  const holding = candidates.filter(({ time }) => isWithin(period, time)).length;
  const evidence = shareBesideWords(query, corpus, { holding, weight: PERIOD_WEIGHT });
  return ({ time }) => (isWithin(period, time) ? evidence : 0);
}

/** How much a candidate gains by when it happened: 1 when the query says nothing about time. */
export function timeFactor(
  query: AnalyzedQuery,
  candidates: readonly RankInput[],
): (candidate: RankInput) => number {
  const nearPeriod = query.period === undefined ? () => 0 : closeness(query.period);
  const newness = query.newest ? newnessAmong(candidates, query.askedAt.getTime()) : () => 0;
  return ({ time }) => 1 + PERIOD_GAIN * nearPeriod(time) + NEWEST_GAIN * newness(time);
}

function isWithin({ from, to }: Period, time: number): boolean {
  return time >= from.getTime() && time < to.getTime();
}

/** 1 inside the period, falling to 0 one period's length (at least a day) outside: what was told soon after counts too. */
function closeness({ from, to }: Period): (time: number) => number {
  const start = from.getTime();
  const end = to.getTime();
  const fade = Math.max(DAY_MS, end - start);
  return (time) => {
    const outside = time < start ? start - time : Math.max(0, time - end);
    return Math.max(0, 1 - outside / fade);
  };
}

/**
 * 0 for the oldest to 1 for the newest candidate. What is dated later than now counts as of now, and as of no time where that is more
 * than a day: a date in the future is to be no advantage.
 */
function newnessAmong(candidates: readonly RankInput[], now: number): (time: number) => number {
  let oldest = Number.POSITIVE_INFINITY;
  let newest = Number.NEGATIVE_INFINITY;
  for (const { time } of candidates) {
    if (time > now + DAY_MS) continue;
    oldest = Math.min(oldest, time, now);
    newest = Math.max(newest, Math.min(time, now));
  }
  const span = newest - oldest;
  return (time) => (span > 0 && time <= now + DAY_MS ? (Math.min(time, now) - oldest) / span : 0);
}
