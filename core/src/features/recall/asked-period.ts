import { EARLIEST, LATEST } from '../../kernel/contract/fields.ts';
import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { Period } from '../../text/time/period.ts';
import type { Filters } from './filters.ts';
import type { Search } from './memory-index.ts';

/** The query with the period of a filter by time, where it names nothing to look for: it asks for all that passes. */
export function withPeriod(query: AnalyzedQuery, { since, until }: Filters): AnalyzedQuery {
  if (query.hasTopic || query.period || !(since || until)) return query;
  // A period ends before its end; a filter's last moment passes.
  const to = until ? until.getTime() + 1 : LATEST;
  return { ...query, period: { from: since ?? new Date(EARLIEST), to: new Date(to) } };
}

/** A search of all of the period that its query names; undefined where the query names no period, or anything else. */
export function ofPeriod<S extends Pick<Search, 'query' | 'filters'>>(search: S): S | undefined {
  const { hasTopic, period } = search.query;
  return hasTopic || !period ? undefined : within(search, period);
}

/**
 * The same of a question that names a short period and a topic: "Who did I meet on 3 May?" In a large store, others hold more of its
 * words than what happened then.
 */
export function ofShortPeriod<S extends Pick<Search, 'query' | 'filters'>>(search: S): S | undefined {
  const { period, periodTells } = search.query;
  return period && periodTells ? within(search, period) : undefined;
}

/** The search of what happened in a period, in so far as that passes its filters. */
function within<S extends Pick<Search, 'query' | 'filters'>>(search: S, period: Period): S {
  const { filters } = search;
  const { since, until } = filters;
  const from = Math.max(period.from.getTime(), since?.getTime() ?? EARLIEST);
  const last = Math.min(period.to.getTime() - 1, until?.getTime() ?? LATEST);
  return { ...search, filters: { ...filters, since: new Date(from), until: new Date(last) } };
}

/** The search by all words of its query, as of one that names more than a period. */
export function byWords<S extends Pick<Search, 'query'>>(search: S): S {
  return { ...search, query: { ...search.query, hasTopic: true } };
}
