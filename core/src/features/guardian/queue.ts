import { and, desc, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { olderThanCursor, toPage } from '../../kernel/database/cursor.ts';
import { guardianEntries } from '../records/pending-change-schema.ts';
import { knownEntries } from '../visibility/entries.ts';
import { showEntries } from '../visibility/show.ts';
import type { guardianRoutes } from './contract.ts';
import { toEntry } from './entry.ts';

/** Changes to protected memories, newest first. */
export const guardianQueue: Operation<typeof guardianRoutes.guardianQueue> = (
  context,
  { status, limit, cursor },
) =>
  context.read(async (tx) => {
    const { requestedAt, id } = guardianEntries;
    const found = await tx
      .select()
      .from(guardianEntries)
      .where(
        and(
          eq(guardianEntries.tenantId, context.tenantId),
          status && eq(guardianEntries.status, status),
          await knownEntries(tx, context),
          olderThanCursor(cursor, requestedAt, id),
        ),
      )
      .orderBy(desc(requestedAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.requestedAt, id: row.id }));
    return { entries: await showEntries(tx, context, page.map(toEntry)), next_cursor };
  });
