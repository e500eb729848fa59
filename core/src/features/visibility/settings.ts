import { eq, sql } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { visibilityRoutes } from './contract.ts';
import { DEFAULT_VISIBILITY, type VisibilitySettings } from './contract.ts';
import { visibilityTable } from './schema.ts';

export async function loadVisibility(tx: Tx, tenantId: string): Promise<VisibilitySettings> {
  const [row] = await tx
    .select({ settings: visibilityTable.settings })
    .from(visibilityTable)
    .where(eq(visibilityTable.tenantId, tenantId));
  return { ...DEFAULT_VISIBILITY, ...row?.settings };
}

/** Shows the settings. */
export const visibility: Operation<typeof visibilityRoutes.visibility> = (context) =>
  context.read(async (tx) => ({ visibility: await loadVisibility(tx, context.tenantId) }));

/** Changes the named parts. */
export const setVisibility: Operation<typeof visibilityRoutes.setVisibility> = (context, input) =>
  context.write(async (tx) => {
    const { tenantId } = context;
    const named = JSON.stringify(input);
    // Merged by the database, so that concurrent changes of different parts are all kept.
    const [row] = await tx
      .insert(visibilityTable)
      .values({ tenantId, settings: { ...DEFAULT_VISIBILITY, ...input } as VisibilitySettings })
      .onConflictDoUpdate({
        target: visibilityTable.tenantId,
        set: { settings: sql`${visibilityTable.settings} || ${named}::jsonb` },
      })
      .returning({ settings: visibilityTable.settings });
    await context.emit(tx, 'visibility.changed', {});
    await context.audit(tx, 'visibility.changed', { fields: Object.keys(input) });
    return { visibility: { ...DEFAULT_VISIBILITY, ...row?.settings } };
  });
