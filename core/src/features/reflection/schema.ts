import { boolean, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';

/** How each agent's memory is consolidated, and how far that is. */
export const reflections = pgTable(
  'reflections',
  {
    tenantId: tenantId(),
    enabled: boolean('enabled').notNull(),
    everyHours: integer('every_hours').notNull(),
    olderThanDays: integer('older_than_days').notNull(),
    archiveSources: boolean('archive_sources').notNull(),
    /** When the service last started one by itself. */
    scheduledAt: instant('scheduled_at'),
    /** Knowledge unchanged since was compared with all other. */
    comparedUntil: instant('compared_until'),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);
export type ReflectionRow = typeof reflections.$inferSelect;
