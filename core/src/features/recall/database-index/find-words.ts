import { type SQL, sql } from 'drizzle-orm';
import type { Param } from '../../../kernel/database/compiled-statement.ts';
import { integers, listText, quotedListText } from '../../../kernel/database/parameters.ts';
import type { AnalyzedQuery } from '../../../text/analyze-query.ts';
import { memories } from '../../records/schema.ts';
import { memoryTerms } from '../../search-index/schema.ts';
import { type Filters, includesCoveredDigests } from '../filters.ts';
import { LENGTH_NORMALISATION, LONGEST_FOUND, PRIOR_DOCUMENTS, SATURATION } from '../ranking/lexical.ts';

/** What the words of a query are looked up with. */
interface TermQuery {
  readonly param: Param<TermValues>;
  /** Condition on a table's `tenant_id`. */
  readonly own: SQL;
  /** Memories to find at most. */
  readonly proposals: SQL;
  /** Condition on `memory_id`, from `AND` on. */
  readonly restricted: SQL;
  /** Condition on `memory_id`, from `AND` on, that keeps out what does not count. */
  readonly onlyCounted: SQL;
}

/** The terms of a query, an array for each thing that is told of them. */
export type TermValues = Record<'terms' | 'weights' | 'commonness' | 'wholes', string>;

/** The same as parameters. */
export function termValues({ terms }: AnalyzedQuery): TermValues {
  return {
    terms: quotedListText(terms.map(({ term }) => term)),
    weights: listText(terms.map(({ weight }) => weight)),
    commonness: listText(terms.map(({ commonness }) => commonness)),
    wholes: listText(terms.map(({ whole }) => (whole ? 1 : 0))),
  };
}

/** Entries of a term that are counted in a large tenant, of a word and of what only stands for one; of many of them less. */
const MOST_COUNTED = { whole: 400_000, part: 20_000 };
/** Entries of the rarest terms, which propose: a share of the tenant's memories, within limits. */
const PROPOSING = sql`greatest(20000, least(60000, documents / 10))`;
/** Entries that are read in all, of these and of the terms that only add to what they proposed, likewise. */
const READING = sql`greatest(30000, least(250000, documents / 4))`;
/** Times as many as asked for that are compared by length: of many, more are alike. */
const BY_LENGTH = sql`greatest(10, least(40, documents / 10000))::int`;
/** Times as many that are compared by how often they hold each term, and look-ups that may be made for more of these. */
const BY_FREQUENCY = 4;
const LOOKUPS = sql`least(4000, documents / 100)::int`;

/** What terms of so much gain add to a memory's BM25 that holds each so often. */
const shareOf = (
  gain: SQL,
  frequency: SQL,
) => sql`${gain} * ${frequency} / (${frequency} + ${SATURATION}::float8
  * (${1 - LENGTH_NORMALISATION}::float8 + ${LENGTH_NORMALISATION}::float8 * least(length, ${LONGEST_FOUND}) / average))`;

/** The same of a posting of the `asked` term. */
const share = shareOf(sql`gain`, sql`frequency`);

/** Of each place the passages that hold its term; null for a memory of one passage. */
const passagesColumn = sql`json_agg(passages) FILTER (WHERE passages IS NOT NULL) AS passages`;

/** The terms as rows: what the idf of each follows from is added by `asked`. */
const terms = ({ param }: TermQuery): SQL =>
  sql`unnest(${param('terms')}::text[], ${param('weights')}::float8[], ${param('commonness')}::float8[], ${param('wholes')}::float8[])
    WITH ORDINALITY AS item(term, weight, commonness, whole, place)`;

/** The terms with their idf; `counted` gives each its `holding`, the number of memories that hold it. */
const asked = (counted: SQL): SQL => sql`asked AS MATERIALIZED (
    SELECT place, term, whole = 1 AS whole, coalesce(holding, 0) AS holding,
      weight * ln(1 + (documents + ${PRIOR_DOCUMENTS} - coalesce(holding, 0) - ${PRIOR_DOCUMENTS} * commonness + 0.5)
        / (coalesce(holding, 0) + ${PRIOR_DOCUMENTS} * commonness + 0.5)) AS gain
    FROM corpus, ${counted}
  )`;

/** Looked up in a hash table. The planner would compare each with all in a join: it takes the clauses for one row each. */
const IS_PROPOSED = sql`(memory_id IN (SELECT memory_id FROM proposed)) IS TRUE`;

/**
 * Best by BM25: the primary key of memory_terms finds every memory of every term of the query. What the best hold is
 * gathered once they are known: lists for all would not fit into memory. Needs `corpus`; makes `asked` and `worded`.
 */
export function exactTerms(words: TermQuery): SQL {
  const { own, proposals, restricted, onlyCounted } = words;
  const counted = sql`${terms(words)}
    LEFT JOIN (SELECT place, count(*)::int AS holding FROM posting GROUP BY place) AS held USING (place)`;
  return sql`posting AS MATERIALIZED (
      SELECT memory_id, place, frequency, length, passages FROM ${terms(words)} CROSS JOIN LATERAL (
        SELECT memory_id, frequency, length, passages FROM ${memoryTerms} entry
        WHERE ${own} AND entry.term = item.term ${onlyCounted}
      ) AS entries
    ), ${asked(counted)}, proposed AS MATERIALIZED (
      SELECT memory_id, sum(${share}) AS score
      FROM corpus, posting JOIN asked USING (place)
      WHERE true ${restricted}
      GROUP BY memory_id ORDER BY score DESC, memory_id LIMIT ${proposals}
    ), worded AS MATERIALIZED (
      SELECT memory_id, array_agg(place::int) AS places, array_agg(frequency) AS frequencies, ${passagesColumn},
        sum(${share}) AS score
      FROM corpus, posting JOIN asked USING (place)
      WHERE ${IS_PROPOSED} GROUP BY memory_id
    )`;
}

/**
 * What each term that some memory holds is good for, the rarest first: whether it proposes memories, or adds to what was proposed.
 *
 * @param most How many entries of each term are counted: of a term with as many, not all are known.
 */
const telling = (most: SQL): SQL => sql`telling AS MATERIALIZED (
    SELECT term, gain, (upto <= ${PROPOSING} AND NOT common) OR rank = 1 AS proposes,
      upto > ${PROPOSING} AND upto <= ${READING} AND NOT common AND rank > 1 AS adds
    FROM (
      SELECT *, sum(holding) OVER (ORDER BY common, gain DESC, place) AS upto,
        row_number() OVER (ORDER BY common, gain DESC, place) AS rank
      FROM (
        SELECT asked.*, documents, holding >= least(${READING}, (${most})[place]) AS common
        FROM asked, corpus WHERE holding > 0
      ) AS known
    ) AS ordered
  )`;

/**
 * The same for a tenant of so many memories that reading all entries of common terms would take longer than the answer is
 * worth. The rarest terms propose, as many as can be read whole within a budget; to what these found the next ones add,
 * within a larger one. That takes the index alone, and so goes by what the terms tell, then by length too; only the best of
 * these are scored in full, the most common terms included. A memory that holds none of the rarest terms of the query would
 * have to make up for it by common ones. Where every term is too common the first proposes the newest that hold it.
 */
export function budgetedTerms(
  words: TermQuery,
  {
    query,
    known = () => undefined,
  }: { readonly query: AnalyzedQuery; known?: (term: string) => number | undefined },
): SQL {
  const { own, proposals, restricted, onlyCounted } = words;
  const entriesOf = (columns: SQL, condition: SQL) =>
    sql`SELECT ${columns} FROM ${memoryTerms} WHERE ${own} AND ${condition}`;
  const most = integers(documentFrequencyLimits(query));
  const counts = integers(query.terms.map(({ term }) => known(term) ?? -1));
  // Without the OFFSET it would be counted anew wherever `holding` stands.
  const counted = sql`${terms(words)} CROSS JOIN LATERAL (
      SELECT coalesce(nullif((${counts})[item.place], -1), (
        SELECT count(*)::int FROM (
          ${entriesOf(sql``, sql`term = item.term`)} LIMIT (${most})[item.place]
        ) AS entry
      )) AS holding OFFSET 0
    ) AS held`;
  return sql`${asked(counted)}, ${telling(most)}, driven AS MATERIALIZED (
      SELECT memory_id, sum(gain) AS gain
      FROM telling CROSS JOIN LATERAL (
        ${entriesOf(sql`memory_id`, sql`term = telling.term ORDER BY memory_id DESC`)}
        LIMIT (SELECT ${READING}::int FROM corpus)
      ) AS posting
      WHERE proposes ${onlyCounted} ${restricted}
      GROUP BY memory_id
    ), added AS MATERIALIZED (
      SELECT memory_id, sum(telling.gain) AS gain
      FROM telling CROSS JOIN LATERAL (
        ${entriesOf(sql`memory_id`, sql`term = telling.term`)} OFFSET 0
      ) AS posting JOIN driven USING (memory_id)
      WHERE adds
      GROUP BY memory_id
    ), rough AS MATERIALIZED (
      SELECT memory_id, driven.gain + coalesce(added.gain, 0) AS gain
      FROM driven LEFT JOIN added USING (memory_id)
      ORDER BY 2 DESC, memory_id LIMIT (SELECT ${BY_LENGTH} FROM corpus) * ${proposals}
    ), proposed AS MATERIALIZED (
      SELECT memory_id
      FROM corpus, rough JOIN ${memories} memory ON ${own} AND memory.id = memory_id
      ORDER BY ${shareOf(sql`gain`, sql`1`)} DESC, memory_id 
      LIMIT (SELECT greatest(${BY_FREQUENCY}::int * ${proposals}, max(${LOOKUPS}) / count(*))::int FROM telling, corpus)
    ), worded AS MATERIALIZED (
      SELECT memory_id, array_agg(place::int) AS places, array_agg(frequency) AS frequencies, ${passagesColumn},
        sum(${share}) AS score
      FROM corpus, proposed CROSS JOIN asked CROSS JOIN LATERAL (
        SELECT frequency, length, passages FROM ${memoryTerms} entry
        WHERE ${own} AND entry.term = asked.term AND entry.memory_id = proposed.memory_id
      ) AS posting
      WHERE holding > 0
      GROUP BY memory_id ORDER BY score DESC, memory_id LIMIT ${proposals}
    )`;
}

/**
 * Which of some terms a memory holds that counts.
 *
 * @param readable Condition on the memories that the caller may read; undefined for all.
 */
export function holdingStatement({
  tenantId,
  filters,
  readable,
  terms,
}: {
  readonly tenantId: string;
  readonly filters: Filters;
  readonly readable: SQL | undefined;
  readonly terms: readonly string[];
}): SQL {
  const counted = includesCoveredDigests(filters) ? sql`` : sql`AND NOT echoes`;
  return sql`SELECT json_agg(term) AS found
    FROM unnest(${quotedListText(terms)}::text[]) AS item (term) CROSS JOIN LATERAL (
      SELECT FROM ${memoryTerms} entry JOIN ${memories}
        ON ${memories.tenantId} = entry.tenant_id AND ${memories.id} = entry.memory_id
      WHERE entry.tenant_id = ${tenantId}::uuid AND entry.term = item.term AND archived_at IS NULL
        ${counted} ${readable ? sql`AND ${readable}` : sql``}
      LIMIT 1
    ) AS held`;
}

/** How many entries of each term are counted: most of the words themselves. */
export function documentFrequencyLimits({ terms }: AnalyzedQuery): number[] {
  const wholes = terms.filter(({ whole }) => whole).length;
  const each = (most: number, sharers: number) =>
    Math.ceil(Math.min(most, (3 * most) / Math.max(1, sharers)));
  return terms.map(({ whole }) =>
    whole ? each(MOST_COUNTED.whole, wholes) : each(MOST_COUNTED.part, terms.length - wholes),
  );
}
