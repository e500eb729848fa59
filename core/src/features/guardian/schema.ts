import { doublePrecision, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Category } from '../../kernel/contract/fields.ts';
import { instant, noTexts, tenantId } from '../../kernel/database/columns.ts';
import type { Unattended } from '../records/contract.ts';

/** Settings of the tenants whose human changed them. */
export const guardianSettingsTable = pgTable(
  'guardian_settings',
  {
    tenantId: tenantId(),
    /** Protected beside those that always are. */
    categories: text('categories').array().$type<Category[]>().notNull().default(noTexts),
    /** Null: the operator's default. */
    coolingHours: doublePrecision('cooling_hours'),
    driftLimit: doublePrecision('drift_limit'),
    /** Null: the operator's choice. */
    unattended: text('unattended').$type<Unattended>(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);

/**
 * What a protected memory said before changes were applied that no human decided: many small ones are measured
 * against it together. A memory without a row says what it said at first, or what the human approved.
 */
export const guardianBaselines = pgTable(
  'guardian_baselines',
  {
    tenantId: tenantId(),
    memoryId: uuid('memory_id').notNull(),
    content: text('content').notNull(),
    /** When the memory began to say this. */
    since: instant('since').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.memoryId] })],
);
