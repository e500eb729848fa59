import { createHash } from 'node:crypto';
import { and, eq, inArray, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { listText, quotedListText } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import type { Tx } from '../database/database.ts';
import { fixed, type Slot } from '../database/fixed.ts';
import { together } from '../database/together.ts';
import { embedOrNothing } from '../embedding/embed-or-nothing.ts';
import type { Context } from '../engine/context.ts';
import { tenants } from '../tenants/schema.ts';
import { analyzeDocument, type DocumentTerms } from './analyze.ts';
import { embeddingQueue, memoryTerms, memoryVectors } from './schema.ts';

/** What recall needs to know of a content, computed before the transaction that stores it. */
export interface Analysis {
  readonly terms: DocumentTerms;
  /** The same for contents that differ in letter case and spacing only. */
  readonly fingerprint: bigint;
  /** Absent when the embedder was away: the vector is queued and made later. */
  readonly vector?: Float32Array;
}

/** Analyses and embeds contents, in order. Never fails for a lack of vectors. */
export async function analyzeContents(context: Context, contents: readonly string[]): Promise<Analysis[]> {
  const vectors = await embedOrNothing(context, contents, 'vectors are queued');
  return contents.map((content, index) => analysisOf(content, vectors?.[index]));
}

/** What recall needs to know of a content with that vector. */
export function analysisOf(content: string, vector: Float32Array | undefined): Analysis {
  return {
    terms: analyzeDocument(content),
    fingerprint: fingerprintOf(content),
    ...(vector ? { vector } : {}),
  };
}

function fingerprintOf(content: string): bigint {
  const said = content.toLowerCase().replace(/\s+/g, ' ').trim();
  return createHash('sha256').update(said).digest().readBigInt64BE();
}

/** Makes memories findable: their terms and vectors. */
export async function indexMemories(
  tx: Tx,
  context: Context,
  items: readonly { id: string; analysis: Analysis }[],
): Promise<void> {
  await together(indexStatements(context, items).map(async (statement) => tx.execute(statement)));
}

/** The statements that do it, none of which needs another's answer. */
export function indexStatements(
  { tenantId, embedder, now }: Pick<Context, 'tenantId' | 'embedder' | 'now'>,
  items: readonly { id: string; analysis: Analysis }[],
): SQLWrapper[] {
  const postings = items.flatMap(({ id, analysis }) =>
    [...analysis.terms.terms].map(([term, frequency]) => ({
      id,
      term,
      frequency,
      length: analysis.terms.length,
    })),
  );
  const statements: SQLWrapper[] = [];
  if (postings.length > 0) {
    statements.push(
      insertTerms({
        tenantId,
        terms: quotedListText(postings.map((row) => row.term)),
        ids: listText(postings.map((row) => row.id)),
        frequencies: listText(postings.map((row) => row.frequency)),
        lengths: listText(postings.map((row) => row.length)),
      }),
    );
  }
  const model = { tenantId, model: embedder.model, now: now.toISOString() };
  const embedded = items.flatMap(({ id, analysis: { vector } }) => (vector ? [{ id, vector }] : []));
  if (embedded.length > 0) {
    const ids = listText(embedded.map(({ id }) => id));
    const vectors = quotedListText(embedded.map(({ vector }) => vectorLiteral(vector)));
    statements.push(insertVectors({ ...model, ids, vectors }));
  }
  const missing = items.filter(({ analysis }) => !analysis.vector);
  if (missing.length > 0) {
    statements.push(queueMissing({ ...model, ids: listText(missing.map(({ id }) => id)) }));
  }
  return statements;
}

const insertTerms = fixed<Record<'tenantId' | 'terms' | 'ids' | 'frequencies' | 'lengths', string>>(
  (slot) => sql`INSERT INTO ${memoryTerms} (tenant_id, term, memory_id, frequency, length)
    SELECT ${slot('tenantId')}::uuid, term, memory_id, frequency, length
    FROM unnest(${slot('terms')}::text[], ${slot('ids')}::uuid[], ${slot('frequencies')}::int[], ${slot('lengths')}::int[])
      AS posting(term, memory_id, frequency, length)`,
);

/** Of which memories vectors are made by which model. */
type Wanted = Record<'tenantId' | 'model' | 'now' | 'ids', string>;

/** Stores vectors. While the tenant is answered by another model, that one is to make a vector too. */
const insertVectors = fixed<Wanted & { vectors: string }>(
  (slot) => sql`WITH queued AS (${queueFor(
    slot,
    sql`(SELECT embedding_model AS model FROM ${tenants}
         WHERE tenant_id = ${slot('tenantId')}::uuid AND embedding_model <> ${slot('model')}::text)`,
  )})
    INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
    SELECT ${slot('tenantId')}::uuid, ${slot('model')}, memory_id, embedding::vector
    FROM unnest(${slot('ids')}::uuid[], ${slot('vectors')}::text[]) AS item(memory_id, embedding)`,
);

/** Asks for vectors of the model that answers the tenant, and of its successor. */
const queueMissing = fixed<Wanted>((slot) =>
  queueFor(
    slot,
    sql`(SELECT embedding_model AS model FROM ${tenants} WHERE tenant_id = ${slot('tenantId')}::uuid
         UNION SELECT ${slot('model')}::text)`,
  ),
);

/** @param models The models to make vectors with, a row each. */
function queueFor(slot: Slot<Wanted>, models: SQL): SQL {
  return sql`INSERT INTO ${embeddingQueue} (tenant_id, memory_id, model, due_at)
    SELECT ${slot('tenantId')}::uuid, memory_id, wanted.model, ${slot('now')}::timestamptz
    FROM unnest(${slot('ids')}::uuid[]) AS memory_id, ${models} AS wanted
    ON CONFLICT DO NOTHING`;
}

/** Takes memories out of recall. */
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
