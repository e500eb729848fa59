import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { tenantId } from '../../kernel/database/columns.ts';

/** Boot settings of the tenants that changed them. */
export const bootConfigs = pgTable(
  'boot_configs',
  {
    tenantId: tenantId(),
    tokenBudget: integer('token_budget').notNull(),
    episodicLimit: integer('episodic_limit').notNull(),
    truncateAt: integer('truncate_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);
