import { type SQL, sql } from 'drizzle-orm';
import { floats, texts } from '../database/arrays.ts';
import type { AnalyzedQuery } from './analyze.ts';
import { LENGTH_NORMALISATION, PRIOR_DOCUMENTS, SATURATION } from './rank-lexical.ts';
import { memoryTerms } from './schema.ts';

/** What the words of a query are looked up with. */
interface Words {
  readonly tenantId: string;
  readonly query: AnalyzedQuery;
  /** Memories to find at most. */
  readonly proposals: number;
  /** Condition on `memory_id`, from `AND` on. */
  readonly restricted: SQL;
  /** Condition on `memory_id`, from `AND` on, that keeps out what does not even count. */
  readonly withoutEchoes: SQL;
}

/** Index entries that a query may read in a large tenant; a term that more memories hold is not counted further. */
const MOST_POSTINGS = 20_000;

/** What a posting of the `asked` term adds to its memory's BM25. */
const share = sql`gain * frequency / (frequency + ${SATURATION}::float8
  * (${1 - LENGTH_NORMALISATION}::float8 + ${LENGTH_NORMALISATION}::float8 * length / average))`;

/** The query's terms as rows: what the idf of each follows from is added by `asked`. */
const terms = ({ query }: Words): SQL =>
  sql`unnest(${texts(query.terms.map(({ term }) => term))}, ${floats(query.terms.map(({ weight }) => weight))},
      ${floats(query.terms.map(({ commonness }) => commonness))},
      ${floats(query.terms.map(({ whole }) => (whole ? 1 : 0)))})
    WITH ORDINALITY AS item(term, weight, commonness, whole, place)`;

/** The terms with their idf; `counted` gives each its `holding`, the number of memories that hold it. */
const asked = (counted: SQL): SQL => sql`asked AS MATERIALIZED (
    SELECT place, term, whole = 1 AS whole, coalesce(holding, 0) AS holding,
      weight * ln(1 + (documents + ${PRIOR_DOCUMENTS} - coalesce(holding, 0) - ${PRIOR_DOCUMENTS} * commonness + 0.5)
        / (coalesce(holding, 0) + ${PRIOR_DOCUMENTS} * commonness + 0.5)) AS gain
    FROM corpus, ${counted}
  )`;

/**
 * Best by BM25: the primary key of memory_terms finds every memory of every term of the query. What the best hold is
 * gathered once they are known: lists for all would not fit into memory. Needs `corpus`; makes `asked` and `worded`.
 */
export function allWords(words: Words): SQL {
  const { tenantId, proposals, restricted, withoutEchoes } = words;
  const counted = sql`${terms(words)}
    LEFT JOIN (SELECT place, count(*)::int AS holding FROM posting GROUP BY place) AS held USING (place)`;
  return sql`posting AS MATERIALIZED (
      SELECT memory_id, place, frequency, length FROM ${terms(words)} CROSS JOIN LATERAL (
        SELECT memory_id, frequency, length FROM ${memoryTerms} entry
        WHERE entry.tenant_id = ${tenantId}::uuid AND entry.term = item.term ${withoutEchoes}
      ) AS entries
    ), ${asked(counted)}, proposed AS MATERIALIZED (
      SELECT memory_id, sum(${share}) AS score
      FROM corpus, posting JOIN asked USING (place)
      WHERE true ${restricted}
      GROUP BY memory_id ORDER BY score DESC, memory_id LIMIT ${proposals}
    ), worded AS MATERIALIZED (
      SELECT memory_id, array_agg(place::int) AS places, array_agg(frequency) AS frequencies, max(score) AS score
      FROM proposed JOIN posting USING (memory_id) GROUP BY memory_id
    )`;
}

/**
 * The same for a tenant of so many memories that reading all entries of common terms would take longer than the answer is
 * worth: the most telling terms propose, as many as fit the budget and always the first; the others only add to the score
 * of what these found. A memory that holds no telling term of the query would have to make up for it by common ones.
 */
export function someWords(words: Words): SQL {
  const { tenantId, proposals, withoutEchoes } = words;
  const counted = sql`${terms(words)} CROSS JOIN LATERAL (
      SELECT count(*)::int AS holding FROM (
        SELECT FROM ${memoryTerms} WHERE tenant_id = ${tenantId}::uuid AND term = item.term LIMIT ${MOST_POSTINGS}
      ) AS entry
    ) AS held`;
  const postingsOf = (condition: SQL) => sql`SELECT memory_id, frequency, length FROM ${memoryTerms}
      WHERE tenant_id = ${tenantId}::uuid AND ${condition}`;
  return sql`${asked(counted)}, telling AS MATERIALIZED (
      SELECT term, gain FROM (
        SELECT *, sum(holding) OVER (ORDER BY gain DESC, place) AS upto, row_number() OVER (ORDER BY gain DESC, place) AS rank
        FROM asked WHERE holding > 0
      ) AS ordered WHERE upto <= ${MOST_POSTINGS} OR rank = 1
    ), proposed AS MATERIALIZED (
      SELECT memory_id, sum(${share}) AS score
      FROM corpus, telling CROSS JOIN LATERAL (${postingsOf(sql`term = telling.term LIMIT ${MOST_POSTINGS}`)}) AS posting
      WHERE true ${withoutEchoes}
      GROUP BY memory_id ORDER BY score DESC, memory_id LIMIT ${proposals}
    ), worded AS MATERIALIZED (
      SELECT memory_id, array_agg(place::int) AS places, array_agg(frequency) AS frequencies, sum(${share}) AS score
      FROM corpus, proposed CROSS JOIN asked CROSS JOIN LATERAL (
        SELECT frequency, length FROM ${memoryTerms} entry
        WHERE entry.tenant_id = ${tenantId}::uuid AND entry.term = asked.term AND entry.memory_id = proposed.memory_id
      ) AS posting
      WHERE holding > 0
      GROUP BY memory_id
    )`;
}
