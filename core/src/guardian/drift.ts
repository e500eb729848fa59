import { and, eq } from 'drizzle-orm';
import type { Tx } from '../database/database.ts';
import type { Context } from '../engine/context.ts';
import type { MemoryRow } from '../memory/schema.ts';
import { analyzeDocument } from '../recall/analyze.ts';
import { memoryVectors } from '../recall/schema.ts';
import type { AskedChange } from './gate.ts';

const TOTAL = 1;

/**
 * How far a change would carry a memory from what it says now: 1 - similarity, 0..1. A removal, or a change of type or
 * category, counts as total.
 */
export async function measureDrift(
  tx: Tx,
  { tenantId, embedder }: Context,
  row: MemoryRow,
  { fields, analysis }: AskedChange,
): Promise<number> {
  if (!fields || fields.type !== row.type || fields.category !== row.category) return TOTAL;
  if (fields.content === row.content) return 0;
  const [current] = await tx
    .select({ embedding: memoryVectors.embedding })
    .from(memoryVectors)
    .where(
      and(
        eq(memoryVectors.tenantId, tenantId),
        eq(memoryVectors.model, embedder.model),
        eq(memoryVectors.memoryId, row.id),
      ),
    );
  return current && analysis?.vector
    ? toDrift(cosine(current.embedding, analysis.vector))
    : toDrift(sharedTerms(row.content, fields.content));
}

/** 1 - the similarity of two contents by their vectors, 0..1. */
export function driftBetween(one: Float32Array, other: Float32Array): number {
  return toDrift(cosine(one, other));
}

function toDrift(similarity: number): number {
  return Math.round((1 - Math.min(1, Math.max(0, similarity))) * 1e4) / 1e4;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}

/** Share of terms two texts have in common, where a vector is missing. */
function sharedTerms(one: string, other: string): number {
  const left = analyzeDocument(one).terms;
  const right = analyzeDocument(other).terms;
  const common = [...left.keys()].filter((term) => right.has(term)).length;
  return common / Math.max(1, left.size + right.size - common);
}
