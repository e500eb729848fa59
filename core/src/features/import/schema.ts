import { type SQL, sql } from 'drizzle-orm';
import { bigint, customType, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, tenantId } from '../../kernel/database/columns.ts';
import { jobs } from '../jobs/schema.ts';

const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'bytea' });

/** Files of imports that are not finished. In the database, so that any process can go on with a job of another. */
export const importFiles = pgTable(
  'import_files',
  {
    tenantId: tenantId(),
    uploadId: uuid('upload_id').notNull(),
    /** Place among the files of the upload, from 0. */
    place: integer('place').notNull(),
    path: text('path').notNull(),
    size: bigint('size', { mode: 'number' }).notNull(),
    createdAt: instant('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.uploadId, table.place] }),
    index('import_files_age').on(table.createdAt),
  ],
);

/**
 * Condition on `import_files`: no job that has not ended reads them. Only the database knows, as a call that failed may have begun
 * one.
 */
export const isUnused: SQL = sql`NOT EXISTS (
  SELECT FROM ${jobs} WHERE ${jobs.tenantId} = ${importFiles.tenantId} AND ${jobs.finishedAt} IS NULL
    AND ${jobs.input} ->> 'upload_id' = ${importFiles.uploadId}::text)`;

/** Their contents, in pieces of `CHUNK_BYTES`. */
export const importChunks = pgTable(
  'import_chunks',
  {
    tenantId: tenantId(),
    uploadId: uuid('upload_id').notNull(),
    place: integer('place').notNull(),
    number: integer('number').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.uploadId, table.place, table.number] })],
);

/** What was imported as which memory, so that importing it again adds nothing, and a text that changed changes it. */
export const importOrigins = pgTable(
  'import_origins',
  {
    tenantId: tenantId(),
    /** `Origins.text`, `Origins.place`, or another name of a memory. */
    origin: text('origin').notNull(),
    memoryId: uuid('memory_id').notNull(),
    /** Of a place, the text last found there; empty where it does not tell texts apart. Null of others. */
    lastText: text('last_text'),
    /** The import that last found something there. */
    jobId: uuid('job_id').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.origin] }),
    index('import_origins_memory').on(table.tenantId, table.memoryId),
  ],
);
