import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core';
import { embedding, instant, tenantId } from '../../kernel/database/columns.ts';

/**
 * Inverted index: one row per term of an active memory. A B-tree on plain text equality, because the row-level
 * security on every table keeps Postgres from using a full-text index below it. The memory's length stands
 * beside each term, so that BM25 needs no other table.
 */
export const memoryTerms = pgTable(
  'memory_terms',
  {
    tenantId: tenantId(),
    term: text('term').notNull(),
    memoryId: uuid('memory_id').notNull(),
    frequency: integer('frequency').notNull(),
    length: integer('length').notNull(),
    /** In a memory of several passages the numbers of those that hold the term, from 0. */
    passages: smallint('passages').array(),
    /** Of the words of a short fact its type: see `factTypeOf`. */
    factType: text('fact_type'),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.term, table.memoryId] }),
    index('memory_terms_memory').on(table.tenantId, table.memoryId),
    // New facts are compared by it: an agent that logs what it did would else have more episodes of a term than are read.
    index('memory_terms_facts')
      .on(table.tenantId, table.factType, table.term, table.memoryId)
      .where(sql`${table.factType} IS NOT NULL`),
  ],
);

/**
 * How many memories each tenant's recall can find, and their words: what BM25 needs to know of all of them. Kept by
 * every write, since counting them takes longer than the rest of a recall.
 */
export const corpusSizes = pgTable(
  'corpus_sizes',
  {
    tenantId: tenantId(),
    documents: bigint('documents', { mode: 'number' }).notNull(),
    words: bigint('words', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId] })],
);

/** One vector per active memory and embedding model; different models are never compared. */
export const memoryVectors = pgTable(
  'memory_vectors',
  {
    tenantId: tenantId(),
    model: text('model').notNull(),
    memoryId: uuid('memory_id').notNull(),
    embedding: embedding('embedding').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.model, table.memoryId] })],
);

/** Memories whose vector is missing because the embedder was unavailable when they were written. */
export const embeddingQueue = pgTable(
  'embedding_queue',
  {
    tenantId: tenantId(),
    memoryId: uuid('memory_id').notNull(),
    model: text('model').notNull(),
    attempts: integer('attempts').notNull().default(0),
    dueAt: instant('due_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.memoryId, table.model] }),
    index('embedding_queue_due').on(table.dueAt),
  ],
);
