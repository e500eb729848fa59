import { doublePrecision, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../../kernel/database/columns.ts';

/** Every embedding model that has made vectors here, with its dimensions and calibration. */
export const embeddingModels = pgTable('embedding_models', {
  model: text('model').primaryKey(),
  dimensions: integer('dimensions').notNull(),
  unrelated: doublePrecision('unrelated').notNull(),
  related: doublePrecision('related').notNull(),
  trust: doublePrecision('trust').notNull(),
  measuredAt: instant('measured_at').notNull(),
  /** When a process with this embedder started last. New vectors come from the model with the newest date. */
  chosenAt: instant('chosen_at'),
});
