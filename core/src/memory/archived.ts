import { and, desc, eq, gt } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { RESTORE_DAYS, toMemory } from './row.ts';
import { memories } from './schema.ts';

/** Archived memories that can still be restored, last archived first. Design 5, GET /memories/archived. */
export const archived: Operation<'archived'> = (context, { limit, cursor }) =>
  context.read(async (tx) => {
    const oldest = new Date(context.now.getTime() - RESTORE_DAYS * 86_400_000);
    const { archivedAt, id } = memories;
    // Index memories_archived.
    const found = await tx
      .select()
      .from(memories)
      .where(
        and(eq(memories.tenantId, context.tenantId), gt(archivedAt, oldest), beyond(cursor, archivedAt, id)),
      )
      .orderBy(desc(archivedAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({
      at: row.archivedAt ?? row.updatedAt,
      id: row.id,
    }));
    return { memories: page.map(toMemory), next_cursor };
  });
