import { and, eq, gt } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import { DAY_MS } from '../../kernel/runtime/durations.ts';
import { RESTORE_DAYS, toMemory } from '../records/row.ts';
import { memories } from '../records/schema.ts';
import { showMemories } from '../visibility/show.ts';
import { viewOf } from '../visibility/view.ts';
import type { memoryRoutes } from './contract.ts';

/** Archived memories that can still be restored, last archived first. */
export const archived: Operation<typeof memoryRoutes.archived> = (context, { limit, cursor }) =>
  context.read(async (tx) => {
    const oldest = new Date(context.now.getTime() - RESTORE_DAYS * DAY_MS);
    const { archivedAt } = memories;
    const list = sortedList('desc', [archivedAt, memories.id]);
    const { known } = await viewOf(tx, context);
    // Index memories_archived.
    const found = await tx
      .select()
      .from(memories)
      .where(and(eq(memories.tenantId, context.tenantId), gt(archivedAt, oldest), known, list.after(cursor)))
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({
      at: row.archivedAt ?? row.updatedAt,
      id: row.id,
    }));
    return { memories: await showMemories(tx, context, page.map(toMemory)), next_cursor };
  });
