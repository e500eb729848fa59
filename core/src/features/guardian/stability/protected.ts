import { and, asc, eq, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../../kernel/context/context.ts';
import type { Tx } from '../../../kernel/database/database.ts';
import { texts } from '../../../kernel/database/parameters.ts';
import { memories } from '../../records/schema.ts';
import { levelsOf, viewOf } from '../../visibility/view.ts';
import { guardianBaselines } from '../schema.ts';
import { loadGuardianSettings } from '../settings.ts';

const MOST_MEMORIES = 200;

/** Protected memories with what they are measured against. */
export async function loadProtected(tx: Tx, context: Context) {
  const { categories } = await loadGuardianSettings(tx, context);
  const view = await viewOf(tx, context);
  // Index memories_type_time.
  const found = await tx
    .select({
      id: memories.id,
      category: memories.category,
      content: memories.content,
      updatedAt: memories.updatedAt,
      baseline: guardianBaselines.content,
      since: guardianBaselines.since,
    })
    .from(memories)
    .leftJoin(
      guardianBaselines,
      and(eq(guardianBaselines.tenantId, memories.tenantId), eq(guardianBaselines.memoryId, memories.id)),
    )
    .where(
      and(
        eq(memories.tenantId, context.tenantId),
        eq(memories.type, 'core'),
        isNull(memories.archivedAt),
        sql`${memories.category} = ANY(${texts(categories)})`,
        view.known,
      ),
    )
    // Those that have moved come first, should there be more than are shown.
    .orderBy(sql`${guardianBaselines.since} IS NULL`, asc(memories.id))
    .limit(MOST_MEMORIES);
  const level = await levelsOf(
    tx,
    { tenantId: context.tenantId, view },
    found.map(({ id }) => id),
  );
  return found.map((row) => ({ ...row, isRead: level(row.id) === 'full' }));
}
