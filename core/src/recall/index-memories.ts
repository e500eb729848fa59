import { and, eq, inArray, sql } from 'drizzle-orm';
import { integers, texts, uuids } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import type { Tx } from '../database/database.ts';
import { embedOrNothing } from '../embedding/embed-or-nothing.ts';
import type { Context } from '../engine/context.ts';
import { analyzeDocument, type DocumentTerms } from './analyze.ts';
import { embeddingQueue, memoryTerms, memoryVectors } from './schema.ts';

/** What recall needs to know of a content, computed before the transaction that stores it. */
export interface Analysis {
  readonly terms: DocumentTerms;
  /** Absent when the embedder was away: the vector is queued and made later. */
  readonly vector?: Float32Array;
}

/** Analyses and embeds contents, in order. Never fails for a lack of vectors. */
export async function analyzeContents(context: Context, contents: readonly string[]): Promise<Analysis[]> {
  const vectors = await embedOrNothing(context, contents, 'vectors are queued');
  return contents.map((content, index) => {
    const vector = vectors?.[index];
    return { terms: analyzeDocument(content), ...(vector ? { vector } : {}) };
  });
}

/** Makes memories findable: their terms and vectors. */
export async function indexMemories(
  tx: Tx,
  { tenantId, embedder, now }: Context,
  items: readonly { id: string; analysis: Analysis }[],
): Promise<void> {
  const postings = items.flatMap(({ id, analysis }) =>
    [...analysis.terms.terms].map(([term, frequency]) => ({
      id,
      term,
      frequency,
      length: analysis.terms.length,
    })),
  );
  if (postings.length > 0) {
    await tx.execute(sql`
      INSERT INTO ${memoryTerms} (tenant_id, term, memory_id, frequency, length)
      SELECT ${tenantId}::uuid, term, memory_id, frequency, length
      FROM unnest(${texts(postings.map((row) => row.term))}, ${uuids(postings.map((row) => row.id))},
                  ${integers(postings.map((row) => row.frequency))}, ${integers(postings.map((row) => row.length))})
        AS posting(term, memory_id, frequency, length)`);
  }
  const embedded = items.flatMap(({ id, analysis: { vector } }) => (vector ? [{ id, vector }] : []));
  if (embedded.length > 0) {
    await tx.execute(sql`
      INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
      SELECT ${tenantId}::uuid, ${embedder.model}, memory_id, embedding::vector
      FROM unnest(${uuids(embedded.map((item) => item.id))},
                  ${texts(embedded.map((item) => vectorLiteral(item.vector)))}) AS item(memory_id, embedding)`);
  }
  const missing = items.filter(({ analysis }) => !analysis.vector);
  if (missing.length > 0) {
    await tx
      .insert(embeddingQueue)
      .values(missing.map(({ id }) => ({ tenantId, memoryId: id, model: embedder.model, dueAt: now })))
      .onConflictDoNothing();
  }
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
