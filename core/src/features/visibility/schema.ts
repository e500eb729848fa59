import { jsonb, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { tenantId } from '../../kernel/database/columns.ts';
import type { VisibilitySettings } from './contract.ts';

/** Visibility settings of the tenants that changed them. */
export const visibilityTable = pgTable(
  'visibility_settings',
  { tenantId: tenantId(), settings: jsonb('settings').$type<VisibilitySettings>().notNull() },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);
