import { eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { withoutUndefined } from '../../kernel/contract/settings.ts';
import type { Tx } from '../../kernel/database/database.ts';
import type { bootRoutes } from './contract.ts';
import { type BootConfig, DEFAULT_BOOT_CONFIG } from './contract.ts';
import { bootConfigs } from './schema.ts';

/** The sizes that govern the boot injection. */
export const bootConfig: Operation<typeof bootRoutes.bootConfig> = (context) =>
  context.read(async (tx) => ({ boot_config: await loadBootConfig(tx, context.tenantId) }));

/** Changes the named sizes and keeps the others, also against a change at the same time. */
export const setBootConfig: Operation<typeof bootRoutes.setBootConfig> = (context, changes) =>
  context.write(async (tx) => {
    const given = withoutUndefined({
      tokenBudget: changes.token_budget,
      episodicLimit: changes.episodic_limit,
      truncateAt: changes.truncate_at,
    });
    const first = {
      tenantId: context.tenantId,
      tokenBudget: DEFAULT_BOOT_CONFIG.token_budget,
      episodicLimit: DEFAULT_BOOT_CONFIG.episodic_limit,
      truncateAt: DEFAULT_BOOT_CONFIG.truncate_at,
      ...given,
    };
    const [row] = await tx
      .insert(bootConfigs)
      .values(first)
      .onConflictDoUpdate({ target: bootConfigs.tenantId, set: { tenantId: context.tenantId, ...given } })
      .returning();
    await context.audit(tx, 'boot_config.changed', { fields: Object.keys(withoutUndefined(changes)) });
    return { boot_config: toBootConfig(row ?? first) };
  });

/** The settings in force, for use inside another operation's transaction. */
export async function loadBootConfig(tx: Tx, tenantId: string): Promise<BootConfig> {
  const [row] = await tx.select().from(bootConfigs).where(eq(bootConfigs.tenantId, tenantId));
  return row ? toBootConfig(row) : DEFAULT_BOOT_CONFIG;
}

function toBootConfig(row: Omit<typeof bootConfigs.$inferSelect, 'tenantId'>): BootConfig {
  return { token_budget: row.tokenBudget, episodic_limit: row.episodicLimit, truncate_at: row.truncateAt };
}
