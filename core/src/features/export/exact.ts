import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { withoutUnseen } from '../../text/unseen.ts';
import { linkBasis } from '../records/contract.ts';

const CHANGES = ['created', 'updated', 'archived', 'restored', 'undone'] as const;

/** Episodes of one digest; those of this service have far fewer. */
const MOST_SOURCES = 1_000;

/** Highest version of a memory, and number of its confirmations: what counts on from there still fits into its column. */
const MOST_COUNTED = 1_000_000_000;

/** An older export may have labels with characters that labels may no longer hold. */
const seen = (label: unknown) => (typeof label === 'string' ? withoutUnseen(label).trim() : label);
const isLeft = (label: unknown) => label !== '';
const versioned = {
  type: field.memoryType,
  content: field.content,
  category: field.category.nullable(),
  key: z.preprocess((key) => seen(key) || null, field.key.nullable()),
  tags: z.preprocess((tags) => (Array.isArray(tags) ? tags.map(seen).filter(isLeft) : tags), field.tags),
  importance: field.importance,
  occurred_at: field.timestamp,
  valid_from: field.timestamp.optional(),
  valid_to: field.timestamp.optional(),
  expires_at: field.timestamp.optional(),
  metadata: field.metadata.optional(),
  version: z.int().min(1).max(MOST_COUNTED),
  source: field.provenance,
  session_id: z.preprocess((id) => seen(id) || undefined, field.sessionId.optional()),
  superseded_by: z.uuid().optional(),
  superseded_basis: linkBasis.optional(),
  content_source: field.source.optional(),
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
  confirmations: z.int().min(0).max(MOST_COUNTED).default(0),
  last_confirmed_at: field.timestamp.optional(),
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
