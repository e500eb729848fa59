import { eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { reflectionRoutes } from './contract.ts';
import { DEFAULT_REFLECT_CONFIG, type ReflectConfig } from './contract.ts';
import { type ReflectionRow, reflections } from './schema.ts';

/** The settings in force. */
export const reflectConfig: Operation<typeof reflectionRoutes.reflectConfig> = (context) =>
  context.read(async (tx) => ({ reflect_config: toConfig(await loadReflection(tx, context.tenantId)) }));

/** Changes the named settings and keeps the others, also against a change at the same time. */
export const setReflectConfig: Operation<typeof reflectionRoutes.setReflectConfig> = (context, changes) =>
  context.write(async (tx) => {
    const given = withoutUndefined({
      enabled: changes.enabled,
      everyHours: changes.every_hours,
      olderThanDays: changes.older_than_days,
      archiveSources: changes.archive_sources,
    });
    const row = await keepReflection(tx, context.tenantId, given);
    await context.audit(tx, 'reflect_config.changed', { fields: Object.keys(withoutUndefined(changes)) });
    return { reflect_config: toConfig(row) };
  });

/** The settings in force and how far reflection is, for use inside another operation's transaction. */
export async function loadReflection(tx: Tx, tenantId: string): Promise<ReflectionRow> {
  const [row] = await tx.select().from(reflections).where(eq(reflections.tenantId, tenantId));
  return row ?? initial(tenantId);
}

/** Changes the named columns and keeps the others. */
export async function keepReflection(
  tx: Tx,
  tenantId: string,
  changes: Partial<ReflectionRow>,
): Promise<ReflectionRow> {
  const first = { ...initial(tenantId), ...changes };
  const [row] = await tx
    .insert(reflections)
    .values(first)
    .onConflictDoUpdate({ target: reflections.tenantId, set: { tenantId, ...changes } })
    .returning();
  return row ?? first;
}

function initial(tenantId: string): ReflectionRow {
  const { enabled, every_hours, older_than_days, archive_sources } = DEFAULT_REFLECT_CONFIG;
  return {
    tenantId,
    enabled,
    everyHours: every_hours,
    olderThanDays: older_than_days,
    archiveSources: archive_sources,
    scheduledAt: null,
    comparedUntil: null,
  };
}

function toConfig(row: ReflectionRow): ReflectConfig {
  return {
    enabled: row.enabled,
    every_hours: row.everyHours,
    older_than_days: row.olderThanDays,
    archive_sources: row.archiveSources,
  };
}
