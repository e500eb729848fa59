import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { type Database, rows, type Tx } from '../../kernel/database/database.ts';
import { listText, quotedListText } from '../../kernel/database/parameters.ts';
import { yieldToEventLoop } from '../../kernel/runtime/event-loop.ts';
import { ANALYSIS_VERSION } from '../../text/analyze-document.ts';
import { memories } from '../records/schema.ts';
import { analysisOf, type IndexEntry, termStatements } from './index-memories.ts';
import { corpusSizes, memoryTerms } from './schema.ts';

/** Memories of a step, and about how much they say: small, so that the embedded database is blocked only for a moment. */
const BATCH = 50;
const BATCH_BYTES = 30_000;

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
      sql`SELECT tenant_id, id FROM (
            SELECT tenant_id, id, bytes, sum(bytes) OVER (ORDER BY tenant_id, id) AS bytes_up_to FROM (
              SELECT tenant_id, id, octet_length(content) AS bytes FROM ${memories}
              WHERE analysis < ${ANALYSIS_VERSION} AND archived_at IS NULL LIMIT ${BATCH}) AS batch
          ) AS summed WHERE bytes_up_to - bytes < ${BATCH_BYTES}`,
    ),
  );
  for (const tenantId of new Set(found.map((one) => one.tenant_id))) {
    const ids = found.filter((one) => one.tenant_id === tenantId).map(({ id }) => id);
    const analysed = await analyze(database, tenantId, ids);
    await database.transaction(tenantId, (tx) => store(tx, tenantId, analysed));
  }
  return found.length;
}

interface Analysed {
  readonly version: number;
  readonly analysis: IndexEntry;
}

/** Outside the transaction that stores it, which blocks the embedded database. */
async function analyze(
  database: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Analysed>> {
  const contents = await database.read(tenantId, (tx) =>
    tx
      .select({ id: memories.id, version: memories.version, content: memories.content })
      .from(memories)
      .where(and(eq(memories.tenantId, tenantId), inArray(memories.id, [...ids]))),
  );
  const analysed = new Map<string, Analysed>();
  for (const { id, version, content } of contents) {
    await yieldToEventLoop();
    analysed.set(id, { version, analysis: analysisOf(content, undefined) });
  }
  return analysed;
}

async function store(tx: Tx, tenantId: string, of: ReadonlyMap<string, Analysed>): Promise<void> {
  const own = eq(memories.tenantId, tenantId);
  const outdated = await tx
    .select({
      id: memories.id,
      type: memories.type,
      version: memories.version,
      length: memories.length,
      echoes: memories.echoes,
    })
    .from(memories)
    .where(
      and(
        own,
        inArray(memories.id, [...of.keys()]),
        lt(memories.analysis, ANALYSIS_VERSION),
        isNull(memories.archivedAt),
      ),
    )
    .for('update');
  // A memory that changed meanwhile was analysed by that change.
  const items = outdated.flatMap((memory) => {
    const found = of.get(memory.id);
    return found?.version === memory.version ? [{ ...memory, analysis: found.analysis }] : [];
  });
  if (items.length === 0) return;
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
