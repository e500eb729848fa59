import { and, desc, eq } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { toEntry } from './entry.ts';
import { guardianEntries } from './schema.ts';

/** Changes to protected memories, newest first. Design 5, GET /guardian. */
export const guardianQueue: Operation<'guardianQueue'> = (context, { status, limit, cursor }) =>
  context.read(async (tx) => {
    const { requestedAt, id } = guardianEntries;
    const found = await tx
      .select()
      .from(guardianEntries)
      .where(
        and(
          eq(guardianEntries.tenantId, context.tenantId),
          status && eq(guardianEntries.status, status),
          beyond(cursor, requestedAt, id),
        ),
      )
      .orderBy(desc(requestedAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.requestedAt, id: row.id }));
    return { entries: page.map(toEntry), next_cursor };
  });
