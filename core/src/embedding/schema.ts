import { doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

/** Every embedding model that has made vectors here: their dimensions, and how its cosines are read. */
export const embeddingModels = pgTable('embedding_models', {
  model: text('model').primaryKey(),
  dimensions: integer('dimensions').notNull(),
  unrelated: doublePrecision('unrelated').notNull(),
  related: doublePrecision('related').notNull(),
  trust: doublePrecision('trust').notNull(),
  measuredAt: instant('measured_at').notNull(),
  /** When a service with this embedder started last: the newest is the one that vectors are to come from. */
  chosenAt: instant('chosen_at'),
});
