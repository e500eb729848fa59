import { pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

/** When each task is due next, for all processes together. */
export const backgroundJobs = pgTable('background_jobs', {
  name: text('name').primaryKey(),
  dueAt: instant('due_at').notNull(),
});
