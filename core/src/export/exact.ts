import { z } from 'zod';
import * as field from '../contract/fields.ts';

const CHANGES = ['created', 'updated', 'archived', 'restored', 'undone'] as const;

/** Episodes of one digest; those of this service have far fewer. */
const MOST_SOURCES = 1_000;

const versioned = {
  type: field.memoryType,
  content: field.content,
  category: field.category.nullable(),
  key: field.key.nullable(),
  tags: field.tags,
  importance: field.importance,
  occurred_at: field.timestamp,
  version: z.int().min(1).max(1_000_000_000),
  source: field.provenance,
  session_id: field.sessionId.optional(),
  superseded_by: z.uuid().optional(),
  merged_into: z.uuid().optional(),
  archived_at: field.timestamp.optional(),
};

/** A memory of an export document, read back with everything the service needs to have it as it was. */
export const exactMemory = z.object({
  ...versioned,
  id: z.uuid(),
  created_at: field.timestamp,
  updated_at: field.timestamp,
  derived_from: z.array(z.uuid()).max(MOST_SOURCES).default([]),
  change: z.enum(CHANGES).default('created'),
});
export type ExactMemory = z.output<typeof exactMemory>;

/** A former version of a memory, likewise. */
export const exactVersion = z.object({
  ...versioned,
  memory_id: z.uuid(),
  change: z.enum(CHANGES),
  at: field.timestamp,
  undone: z.boolean().default(false),
});
export type ExactVersion = z.output<typeof exactVersion>;
