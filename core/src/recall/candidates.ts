import { and, avg, count, eq, isNull, not, type SQL, sql } from 'drizzle-orm';
import type { MemoryType } from '../contract/fields.ts';
import { floats, texts, uuids } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import { rows, type Tx } from '../database/database.ts';
import { memories } from '../memory/schema.ts';
import type { AnalyzedQuery } from './analyze.ts';
import { type Filters, matches } from './filters.ts';
import type { Candidate, Corpus } from './rank.ts';
import { inverseDocumentFrequency, LENGTH_NORMALISATION, SATURATION } from './rank-lexical.ts';
import { memoryTerms, memoryVectors } from './schema.ts';

/** Memories that each side, words and vectors, may propose. */
const PROPOSALS = 200;

/** A query, and where to look for it. */
export interface Search {
  readonly tenantId: string;
  readonly query: AnalyzedQuery;
  /** The query's vector and the model that made it; without it only words count. */
  readonly vector?: { readonly model: string; readonly values: Float32Array };
  readonly filters: Filters;
}

/** A candidate, and what tells it from others: memories of one type that say the same have the same `said`. */
export interface Proposed extends Candidate {
  readonly said: string;
  readonly type: MemoryType;
  /** The newer memory that contradicts it. */
  readonly supersededBy: string | null;
}

/**
 * The tenant's best memories by BM25 and by exact cosine distance, with what the ranking needs to know of each.
 * Statistics are the tenant's own, so that other tenants' memories change nothing.
 */
export async function findCandidates(
  tx: Tx,
  search: Search,
): Promise<{ corpus: Corpus; candidates: Proposed[] }> {
  const corpus = await measureCorpus(tx, search);
  const matched = await findByWords(tx, search, corpus);
  const near = await findByVector(tx, search);
  const facts = await factsOf(tx, search, [...new Set([...matched.keys(), ...near])]);
  return { corpus, candidates: facts.map((fact) => ({ ...fact, matched: matched.get(fact.id) ?? [] })) };
}

async function measureCorpus(tx: Tx, { tenantId, query, filters }: Search): Promise<Corpus> {
  const [size] = await tx
    .select({ documents: count(), averageLength: avg(memories.length) })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, tenantId),
        isNull(memories.archivedAt),
        echoesCount(filters) ? undefined : not(memories.echoes),
      ),
    );
  const frequencies = await rows<{ term: string; holding: number }>(
    tx,
    sql`SELECT term, count(*)::int AS holding FROM ${memoryTerms}
        WHERE tenant_id = ${tenantId} AND term = ANY(${texts(query.terms.map(({ term }) => term))})
          ${withoutEchoes(tenantId, filters)}
        GROUP BY term`,
  );
  return {
    documents: size?.documents ?? 0,
    averageLength: Number(size?.averageLength ?? 1),
    documentFrequency: new Map(frequencies.map(({ term, holding }) => [term, holding])),
  };
}

/** Best by BM25: the primary key of memory_terms finds every memory of every term of the query. */
async function findByWords(tx: Tx, { tenantId, query, filters }: Search, corpus: Corpus) {
  const present = query.terms.filter(({ term }) => corpus.documentFrequency.has(term));
  if (present.length === 0) return new Map<string, Candidate['matched']>();
  const terms = texts(present.map(({ term }) => term));
  const gains = floats(
    present.map(
      ({ term, weight, commonness }) => weight * inverseDocumentFrequency(corpus, term, commonness),
    ),
  );
  const norm = sql`${SATURATION}::float8 * (${1 - LENGTH_NORMALISATION}::float8
    + ${LENGTH_NORMALISATION}::float8 * length / ${corpus.averageLength || 1}::float8)`;
  const found = await rows<{ id: string; terms: string[]; frequencies: number[] }>(
    tx,
    sql`SELECT memory_id AS id, array_agg(term) AS terms, array_agg(frequency) AS frequencies
        FROM ${memoryTerms}
        WHERE tenant_id = ${tenantId} AND term = ANY(${terms}) ${restriction(tenantId, filters)}
        GROUP BY memory_id
        ORDER BY sum((${gains})[array_position(${terms}, term)] * frequency / (frequency + ${norm})) DESC, memory_id
        LIMIT ${PROPOSALS}`,
  );
  return new Map(
    found.map(({ id, terms, frequencies }) => [
      id,
      terms.map((term, index) => ({ term, frequency: frequencies[index] ?? 1 })),
    ]),
  );
}

/** Nearest by exact cosine distance, over the primary key of memory_vectors: right for every tenant's size. */
async function findByVector(tx: Tx, { tenantId, vector, filters }: Search): Promise<string[]> {
  if (!vector) return [];
  const found = await rows<{ id: string }>(
    tx,
    sql`SELECT memory_id AS id FROM ${memoryVectors}
        WHERE tenant_id = ${tenantId} AND model = ${vector.model} ${restriction(tenantId, filters)}
        ORDER BY ${distance(vector.values)}, memory_id LIMIT ${PROPOSALS}`,
  );
  return found.map(({ id }) => id);
}

async function factsOf(tx: Tx, { tenantId, vector }: Search, ids: readonly string[]) {
  if (ids.length === 0) return [];
  // A sub-select rather than a join: looked up by the whole primary key whatever the table's statistics say.
  const cosine = vector
    ? sql<number | null>`(SELECT 1 - (${distance(vector.values)}) FROM ${memoryVectors}
        WHERE ${memoryVectors.tenantId} = ${tenantId} AND ${memoryVectors.model} = ${vector.model}
          AND ${memoryVectors.memoryId} = ${memories.id})`
    : sql<null>`NULL`;
  return tx
    .select({
      id: memories.id,
      length: memories.length,
      type: memories.type,
      importance: memories.importance,
      supersededBy: memories.supersededBy,
      occurredAt: memories.occurredAt,
      sessionId: memories.sessionId,
      cosine,
      // Letter case and spacing aside; of long memories the beginning and the length decide.
      said: sql<string>`md5(concat_ws(' ', ${memories.type}, ${memories.length},
        lower(regexp_replace(left(${memories.content}, 2000), '\\s+', ' ', 'g'))))`,
    })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), sql`${memories.id} = ANY(${uuids(ids)})`));
}

/** Keeps to memories that pass the filters; indexed memories are active ones, so without filters to all. */
function restriction(tenantId: string, filters: Filters): SQL {
  const filtered = Object.values(filters).some((value) => value !== undefined);
  const within = filtered
    ? sql`AND memory_id IN (SELECT ${memories.id} FROM ${memories} WHERE ${matches(tenantId, filters)})`
    : sql``;
  return sql`${within} ${withoutEchoes(tenantId, filters)}`;
}

/** Digests whose episodes stand beside them take part only where episodes do not: they would say the same twice. */
function echoesCount({ types }: Filters): boolean {
  return types !== undefined && !types.includes('episodic');
}

function withoutEchoes(tenantId: string, filters: Filters): SQL {
  if (echoesCount(filters)) return sql``;
  // Index memories_echoes; a few for each hundred episodes, hashed once for each query.
  return sql`AND memory_id NOT IN (SELECT ${memories.id} FROM ${memories}
    WHERE ${memories.tenantId} = ${tenantId} AND ${memories.echoes} AND ${memories.archivedAt} IS NULL)`;
}

function distance(values: Float32Array): SQL {
  return sql`${memoryVectors.embedding} <=> ${vectorLiteral(values)}::vector`;
}
