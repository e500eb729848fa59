import { createHash } from 'node:crypto';
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { integers, texts, uuids } from '../database/arrays.ts';
import { vectorLiteral } from '../database/columns.ts';
import type { Tx } from '../database/database.ts';
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
): SQL[] {
  const postings = items.flatMap(({ id, analysis }) =>
    [...analysis.terms.terms].map(([term, frequency]) => ({
      id,
      term,
      frequency,
      length: analysis.terms.length,
    })),
  );
  const statements: SQL[] = [];
  if (postings.length > 0) {
    statements.push(sql`
      INSERT INTO ${memoryTerms} (tenant_id, term, memory_id, frequency, length)
      SELECT ${tenantId}::uuid, term, memory_id, frequency, length
      FROM unnest(${texts(postings.map((row) => row.term))}, ${uuids(postings.map((row) => row.id))},
                  ${integers(postings.map((row) => row.frequency))}, ${integers(postings.map((row) => row.length))})
        AS posting(term, memory_id, frequency, length)`);
  }
  const embedded = items.flatMap(({ id, analysis: { vector } }) => (vector ? [{ id, vector }] : []));
  if (embedded.length > 0) {
    const ids = embedded.map(({ id }) => id);
    // While the tenant is answered by another model, that one is to make a vector too.
    statements.push(sql`
      WITH queued AS (${queueFor(tenantId, ids, now, sql`tenant.embedding_model <> ${embedder.model}`)})
      INSERT INTO ${memoryVectors} (tenant_id, model, memory_id, embedding)
      SELECT ${tenantId}::uuid, ${embedder.model}, memory_id, embedding::vector
      FROM unnest(${uuids(ids)},
                  ${texts(embedded.map((item) => vectorLiteral(item.vector)))}) AS item(memory_id, embedding)`);
  }
  const missing = items.filter(({ analysis }) => !analysis.vector);
  if (missing.length > 0) {
    const ids = missing.map(({ id }) => id);
    statements.push(queueFor(tenantId, ids, now, sql`true`, embedder.model));
  }
  return statements;
}

/** Asks for vectors of the model that answers the tenant, where `condition` holds, and of another one. */
function queueFor(tenantId: string, ids: readonly string[], now: Date, condition: SQL, also?: string): SQL {
  const other = also === undefined ? sql`` : sql`UNION SELECT ${also}`;
  return sql`INSERT INTO ${embeddingQueue} (tenant_id, memory_id, model, due_at)
    SELECT ${tenantId}::uuid, memory_id, wanted.model, ${now.toISOString()}::timestamptz
    FROM unnest(${uuids(ids)}) AS memory_id,
      (SELECT tenant.embedding_model AS model FROM ${tenants} tenant
       WHERE tenant.tenant_id = ${tenantId} AND ${condition} ${other}) AS wanted
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
