import { and, eq, sql } from 'drizzle-orm';
import type { Context, Operation } from '../../kernel/context/context.ts';
import { CATEGORIES, type Category } from '../../kernel/contract/fields.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import { texts } from '../../kernel/database/parameters.ts';
import { HOUR_MS } from '../../kernel/runtime/durations.ts';
import { memories } from '../records/schema.ts';
import type { guardianRoutes } from './contract.ts';
import { ALWAYS_PROTECTED, type GuardianSettings } from './contract.ts';
import { guardianBaselines, guardianSettingsTable } from './schema.ts';

const DEFAULT_DRIFT_LIMIT = 0.5;
const table = guardianSettingsTable;

/** What is protected, and how changes to it are treated. */
export const guardianSettings: Operation<typeof guardianRoutes.guardianSettings> = (context) =>
  context.read(async (tx) => ({ settings: await loadGuardianSettings(tx, context) }));

export const setGuardianSettings: Operation<typeof guardianRoutes.setGuardianSettings> = (context, changes) =>
  context.write(async (tx) => {
    const before = await loadGuardianSettings(tx, context);
    const { tenantId } = context;
    const given = withoutUndefined({
      categories: changes.categories && withAlways(changes.categories),
      coolingHours: changes.cooling_hours,
      driftLimit: changes.drift_limit,
      unattended: changes.unattended,
    });
    await tx
      .insert(table)
      .values({ tenantId, ...given })
      .onConflictDoUpdate({ target: table.tenantId, set: { tenantId, ...given } });
    const settings = await loadGuardianSettings(tx, context);
    const freed = before.categories.filter((category) => !settings.categories.includes(category));
    if (freed.length > 0) await forgetFreedBaselines(tx, tenantId, freed);
    await context.audit(tx, 'guardian_settings.changed', { fields: Object.keys(withoutUndefined(changes)) });
    return { settings };
  });

/** The settings in force, for use inside another operation's transaction. */
export async function loadGuardianSettings(
  tx: Tx,
  { tenantId, settings }: Pick<Context, 'tenantId' | 'settings'>,
): Promise<GuardianSettings> {
  const [row] = await tx.select().from(table).where(eq(table.tenantId, tenantId));
  return {
    categories: withAlways(row?.categories ?? []),
    cooling_hours: row?.coolingHours ?? settings.guardianCoolingMs / HOUR_MS,
    drift_limit: row?.driftLimit ?? DEFAULT_DRIFT_LIMIT,
    unattended: settings.guardianUnattended === 'nothing' ? 'nothing' : (row?.unattended ?? 'harmless'),
  };
}

function withAlways(categories: readonly Category[]): Category[] {
  const named: readonly Category[] = [...ALWAYS_PROTECTED, ...categories];
  return CATEGORIES.filter((category) => named.includes(category));
}

/** What is no longer protected may change freely: protected again, it starts from what it then says. */
async function forgetFreedBaselines(
  tx: Tx,
  tenantId: string,
  categories: readonly Category[],
): Promise<void> {
  const freed = tx
    .select({ id: memories.id })
    .from(memories)
    .where(and(eq(memories.tenantId, tenantId), sql`${memories.category} = ANY(${texts(categories)})`));
  await tx
    .delete(guardianBaselines)
    .where(and(eq(guardianBaselines.tenantId, tenantId), sql`${guardianBaselines.memoryId} IN ${freed}`));
}
