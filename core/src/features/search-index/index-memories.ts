import { createHash } from 'node:crypto';
import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Context } from '../../kernel/context/context.ts';
import type { MemoryType } from '../../kernel/contract/fields.ts';
import { compileStatement, type Param } from '../../kernel/database/compiled-statement.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { chunksOf, listText, quotedListText, realsBinary } from '../../kernel/database/parameters.ts';
import { mapInSlices } from '../../kernel/runtime/event-loop.ts';
import { awaitInOrder } from '../../kernel/runtime/waiting.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { ANALYSIS_VERSION, analyzeDocument, type DocumentTerms } from '../../text/analyze-document.ts';
import { isTrigram, TRIGRAM_MARK } from '../../text/terms.ts';
import { tryEmbed } from '../embedding/embed.ts';
import type { MemoryRow } from '../records/schema.ts';
import { factTypeOf } from './fact-type.ts';
import { embeddingQueue, memoryTerms, memoryVectors } from './schema.ts';
import { sketchOf, sketchText } from './sketch.ts';

/** The index entry of a content, computed before the transaction that stores it. */
export interface IndexEntry {
  readonly terms: DocumentTerms;
  /** Equal for contents that differ only in letter case and spacing. */
  readonly fingerprint: bigint;
  /** The stored sketch. Near-copies have similar ones. */
  readonly sketch: string;
  /** Absent when the embedder was unavailable: the vector is queued and made later. */
  readonly vector?: Float32Array;
}

/** Analyses and embeds contents, in order. Missing vectors are no failure. */
export async function toIndexEntries(context: Context, contents: readonly string[]): Promise<IndexEntry[]> {
  const vectors = await tryEmbed(context, contents);
  return mapInSlices(contents, (content, index) => analysisOf(content, vectors?.[index]));
}

export function analysisOf(content: string, vector: Float32Array | undefined): IndexEntry {
  const terms = analyzeDocument(content);
  return {
    terms,
    fingerprint: fingerprintOf(content),
    sketch: sketchText(sketchOf(terms)),
    ...(vector ? { vector } : {}),
  };
}

/** The columns that keep what was found out about a content. Recall does not know archived memories: theirs are empty. */
export function analysisColumns(entry: IndexEntry | undefined) {
  return {
    length: entry?.terms.length ?? 0,
    fingerprint: entry?.fingerprint ?? 0n,
    sketch: entry?.sketch ?? null,
    analysis: entry ? ANALYSIS_VERSION : 0,
  };
}

function fingerprintOf(content: string): bigint {
  const said = content.toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(said).digest().readBigInt64BE();
}

interface IndexedItem {
  readonly id: string;
  readonly type: MemoryType;
  readonly analysis: IndexEntry;
}

/** Makes memories findable: their terms and vectors. */
export async function indexMemories(tx: Tx, context: Context, items: readonly IndexedItem[]): Promise<void> {
  await awaitInOrder(indexStatements(context, items).map(async (statement) => tx.execute(statement)));
}

/** Most rows of one statement: about ten milliseconds of work for the embedded database. */
const POSTINGS_AT_ONCE = 2_000;
const NUMBERS_AT_ONCE = 10_000;

/** A row of the index for each term of a memory. */
export function postingsOf({ id, type, analysis: { terms } }: IndexedItem) {
  const factType = factTypeOf(type, terms.length) ?? null;
  return [...terms.terms].map(([term, frequency]) => ({
    memoryId: id,
    term,
    frequency,
    length: terms.length,
    passages: terms.passages ? [...(terms.passages.get(term) ?? [])] : null,
    factType: isTrigram(term) ? null : factType,
  }));
}

/** The statements that store the terms of memories. They are independent of each other. */
export function termStatements(tenantId: string, items: readonly IndexedItem[]): SQLWrapper[] {
  const postings = items.flatMap(postingsOf);
  return chunksOf(postings, POSTINGS_AT_ONCE).map((some) =>
    insertTerms({
      tenantId,
      terms: quotedListText(some.map((row) => row.term)),
      ids: listText(some.map((row) => row.memoryId)),
      frequencies: listText(some.map((row) => row.frequency)),
      lengths: listText(some.map((row) => row.length)),
      passages: quotedListText(some.map(({ passages }) => (passages ? listText(passages) : ''))),
      factTypes: quotedListText(some.map(({ factType }) => factType ?? '')),
    }),
  );
}

/** The statements that index memories. They are independent of each other. */
export function indexStatements(
  { tenantId, embedder, now }: Pick<Context, 'tenantId' | 'embedder' | 'now'>,
  items: readonly IndexedItem[],
): SQLWrapper[] {
  const statements = termStatements(tenantId, items);
  const model = { tenantId, model: embedder.model, now: now.toISOString() };
  const embedded = items.flatMap(({ id, analysis: { vector } }) => (vector ? [{ id, vector }] : []));
  const vectorsAtOnce = Math.max(1, Math.floor(NUMBERS_AT_ONCE / (embedded[0]?.vector.length ?? 1)));
  for (const some of chunksOf(embedded, vectorsAtOnce)) {
    const ids = listText(some.map(({ id }) => id));
    const vectors = realsBinary(some.map(({ vector }) => vector));
    statements.push(insertVectors({ ...model, ids, vectors }));
  }
  const missing = items.filter(({ analysis }) => !analysis.vector);
  if (missing.length > 0) {
    statements.push(queueMissing({ ...model, ids: listText(missing.map(({ id }) => id)) }));
  }
  return statements;
}

const insertTerms = compileStatement<
  Record<'tenantId' | 'terms' | 'ids' | 'frequencies' | 'lengths' | 'passages' | 'factTypes', string>
>(
  (
    param,
  ) => sql`INSERT INTO ${memoryTerms} (tenant_id, term, memory_id, frequency, length, passages, fact_type)
    SELECT ${param('tenantId')}::uuid, term, memory_id, frequency, length, nullif(passages, '')::smallint[],
      nullif(fact_type, '')
    FROM unnest(${param('terms')}::text[], ${param('ids')}::uuid[], ${param('frequencies')}::int[], ${param('lengths')}::int[],
      ${param('passages')}::text[], ${param('factTypes')}::text[])
      AS posting(term, memory_id, frequency, length, passages, fact_type)`,
);

type Wanted = Record<'tenantId' | 'model' | 'now' | 'ids', string>;

/** Stores vectors. While another model is active for the tenant, queues the memories for that model too. */
const insertVectors = compileStatement<Wanted & { vectors: Buffer }>(
  (param) => sql`WITH queued AS (${queueFor(
    param,
    sql`(SELECT embedding_model AS model FROM ${tenants}
         WHERE tenant_id = ${param('tenantId')}::uuid AND embedding_model <> ${param('model')}::text)`,
  )})
    INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
    SELECT ${param('tenantId')}::uuid, ${param('model')}, memory_id,
      numbers[(place - 1) * dimensions + 1 : place * dimensions]::vector
    FROM (SELECT ${param('vectors')}::real[] AS numbers, ${param('ids')}::uuid[] AS ids) AS given,
      LATERAL (SELECT cardinality(numbers) / cardinality(ids) AS dimensions) AS size,
      unnest(ids) WITH ORDINALITY AS item(memory_id, place)`,
);

/** Queues memories for the active model and for its successor. */
const queueMissing = compileStatement<Wanted>((param) =>
  queueFor(
    param,
    sql`(SELECT embedding_model AS model FROM ${tenants} WHERE tenant_id = ${param('tenantId')}::uuid
         UNION SELECT ${param('model')}::text)`,
  ),
);

/** @param models The models to make vectors with, a row each. */
function queueFor(param: Param<Wanted>, models: SQL): SQL {
  return sql`INSERT INTO ${embeddingQueue} (tenant_id, memory_id, model, due_at)
    SELECT ${param('tenantId')}::uuid, memory_id, wanted.model, ${param('now')}::timestamptz
    FROM unnest(${param('ids')}::uuid[]) AS memory_id, ${models} AS wanted
    ON CONFLICT DO NOTHING`;
}

/** Removes memories from the index. */
export async function unindexMemories(tx: Tx, { tenantId }: Context, ids: readonly string[]): Promise<void> {
  const list = [...ids];
  await tx
    .delete(memoryTerms)
    .where(and(eq(memoryTerms.tenantId, tenantId), inArray(memoryTerms.memoryId, list)));
  await tx
    .delete(memoryVectors)
    .where(and(eq(memoryVectors.tenantId, tenantId), inArray(memoryVectors.memoryId, list)));
  await tx
    .delete(embeddingQueue)
    .where(and(eq(embeddingQueue.tenantId, tenantId), inArray(embeddingQueue.memoryId, list)));
}

/** Tells the index that a memory is of another type now. */
export async function retypeTerms(
  tx: Tx,
  { tenantId }: Context,
  { id, type, length }: Pick<MemoryRow, 'id' | 'type' | 'length'>,
): Promise<void> {
  const isWord = sql`NOT starts_with(${memoryTerms.term}, ${TRIGRAM_MARK})`;
  await tx
    .update(memoryTerms)
    .set({ factType: factTypeOf(type, length) ?? null })
    .where(and(eq(memoryTerms.tenantId, tenantId), eq(memoryTerms.memoryId, id), isWord));
}
