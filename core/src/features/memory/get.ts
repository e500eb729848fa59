import { and, eq, getTableColumns, isNull, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { startOf, toMemory } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { showMemories } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import { activeFrom } from './chain.ts';
import type { memoryRoutes } from './contract.ts';
import { findMemory, noMemory } from './find.ts';

export const get: Operation<typeof memoryRoutes.get> = (context, { id }) =>
  context.read(async (tx) => {
    const [memory] = await showMemories(tx, context, [toMemory(await findMemory(tx, context, id))]);
    if (!memory) throw noMemory();
    const chain = await chainOf(tx, context, id);
    return { memory, ...(chain ? { chain } : {}) };
  });

/** Links that are followed: a chain of facts that change weekly for two years. */
const MOST_LINKS = 100;

/**
 * The facts that followed one another up to a memory and beyond, the oldest first, itself among them, as far as the caller may read
 * them; undefined where it superseded nothing and nothing superseded it. Index memories_superseded.
 */
async function chainOf(tx: Tx, context: Context, id: string) {
  const tenant = sql`tenant_id = ${context.tenantId}::uuid`;
  const { known, readable } = await viewOf(tx, context);
  const linked = sql`WITH RECURSIVE linked(id) AS (
      SELECT ${id}::uuid
      UNION SELECT next.id FROM linked CROSS JOIN LATERAL (
        SELECT id FROM ${memories} WHERE ${tenant} AND superseded_by = linked.id
        UNION ALL SELECT superseded_by FROM ${memories}
          WHERE ${tenant} AND id = linked.id AND superseded_by IS NOT NULL) AS next
    ) SELECT id FROM linked LIMIT ${MOST_LINKS}`;
  const rows = await tx
    .select({
      ...getTableColumns(memories),
      successor: activeFrom(context.tenantId, sql`${memories.supersededBy}`),
    })
    .from(memories)
    .where(
      and(
        eq(memories.tenantId, context.tenantId),
        sql`${memories.id} IN (${linked})`,
        isNull(memories.archivedAt),
        known,
        readable,
      ),
    );
  if (rows.length < 2) return undefined;
  const there = new Set(rows.map((row) => row.id));
  return rows
    .sort((a, b) => startOf(a).getTime() - startOf(b).getTime() || (a.id < b.id ? -1 : 1))
    .map((row) => ({
      id: row.id,
      content: row.content,
      valid_from: startOf(row).toISOString(),
      ...(row.successor !== null && there.has(row.successor) ? { superseded_by: row.successor } : {}),
    }));
}
