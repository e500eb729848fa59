import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { rows, type Tx } from '../../kernel/database/database.ts';
import { listText, quotedListText } from '../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { ANALYSIS_VERSION } from '../../text/analyze-document.ts';
import { memories } from '../records/schema.ts';
import { analysisOf, termStatements } from './index-memories.ts';
import { corpusSizes, memoryTerms } from './schema.ts';

/** Small, so that the embedded database is blocked only for a moment. */
const BATCH = 50;

/**
 * Analyses memories anew that an earlier version of the analysis indexed. Until then recall may miss words of them that this
 * version reads in another way.
 *
 * @returns the number of memories; call again while it is not 0.
 */
export async function analyzeOutdated({ database }: Services): Promise<number> {
  // Index memories_outdated.
  const found = await database.system((tx) =>
    rows<{ tenant_id: string; id: string }>(
      tx,
      sql`SELECT tenant_id, id FROM ${memories}
          WHERE analysis < ${ANALYSIS_VERSION} AND archived_at IS NULL LIMIT ${BATCH}`,
    ),
  );
  for (const tenantId of new Set(found.map((one) => one.tenant_id))) {
    const ids = found.filter((one) => one.tenant_id === tenantId).map(({ id }) => id);
    await database.transaction(tenantId, (tx) => analyze(tx, tenantId, ids));
  }
  return found.length;
}

async function analyze(tx: Tx, tenantId: string, ids: readonly string[]): Promise<void> {
  const own = eq(memories.tenantId, tenantId);
  // A memory that changed meanwhile was analysed by that change.
  const outdated = await tx
    .select({
      id: memories.id,
      type: memories.type,
      content: memories.content,
      length: memories.length,
      echoes: memories.echoes,
    })
    .from(memories)
    .where(
      and(
        own,
        inArray(memories.id, [...ids]),
        lt(memories.analysis, ANALYSIS_VERSION),
        isNull(memories.archivedAt),
      ),
    )
    .for('update');
  if (outdated.length === 0) return;
  const items = [];
  for (const memory of outdated) {
    await yieldToEventLoop();
    items.push({ ...memory, analysis: analysisOf(memory.content, undefined) });
  }
  const analysed = items.map(({ id }) => id);
  await tx
    .delete(memoryTerms)
    .where(and(eq(memoryTerms.tenantId, tenantId), inArray(memoryTerms.memoryId, analysed)));
  for (const statement of termStatements(tenantId, items)) await tx.execute(statement);
  const lengths = listText(items.map(({ analysis }) => analysis.terms.length));
  const sketches = quotedListText(items.map(({ analysis }) => analysis.sketch));
  await tx.execute(
    sql`UPDATE ${memories} memory SET length = item.length, sketch = item.sketch, analysis = ${ANALYSIS_VERSION}
        FROM unnest(${listText(analysed)}::uuid[], ${lengths}::int[], ${sketches}::text[]) AS item(id, length, sketch)
        WHERE memory.tenant_id = ${tenantId}::uuid AND memory.id = item.id`,
  );
  const more = items
    .filter(({ echoes }) => !echoes)
    .reduce((sum, { analysis, length }) => sum + analysis.terms.length - length, 0);
  await tx
    .update(corpusSizes)
    .set({ words: sql`${corpusSizes.words} + ${more}` })
    .where(eq(corpusSizes.tenantId, tenantId));
}
