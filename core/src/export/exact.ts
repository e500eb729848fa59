import { z } from 'zod';
import * as field from '../contract/fields.ts';

const CHANGES = ['created', 'updated', 'archived', 'restored', 'undone'] as const;

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
  archived_at: field.timestamp.optional(),
};

/** A memory of an export document, read back with everything the service needs to have it as it was. */
export const exactMemory = z.object({
  ...versioned,
  id: z.uuid(),
  created_at: field.timestamp,
  updated_at: field.timestamp,
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
