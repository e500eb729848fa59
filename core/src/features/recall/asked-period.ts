import type { AnalyzedQuery } from '../../text/analyze-query.ts';
import type { Filters } from './filters.ts';

/** The times that the contract can name. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z');
const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** The query with the period of a filter by time, where it names nothing to look for: it asks for all that passes. */
export function withPeriod(query: AnalyzedQuery, { since, until }: Filters): AnalyzedQuery {
  if (query.hasTopic || query.period || !(since || until)) return query;
  // A period ends before its end; a filter's last moment passes.
  const to = until ? until.getTime() + 1 : LATEST;
  return { ...query, period: { from: since ?? new Date(EARLIEST), to: new Date(to) } };
}

/** The filters of a search in the period that the query names, where it names nothing else; otherwise the given ones. */
export function filtersByTime({ hasTopic, period }: AnalyzedQuery, filters: Filters): Filters {
  if (hasTopic || !period) return filters;
  const { since, until } = filters;
  const from = Math.max(period.from.getTime(), since?.getTime() ?? EARLIEST);
  const last = Math.min(period.to.getTime() - 1, until?.getTime() ?? LATEST);
  return { ...filters, since: new Date(from), until: new Date(last) };
}
