import { z } from 'zod';
import * as field from '../contract/fields.ts';
import { route } from '../contract/route.ts';
import { guardianEntry } from '../guardian/contract.ts';

export const { provenance } = field;

/** One memory as every answer shows it. Spec: Resources, Memory; design 5 for the fields from `source` on. */
export const memory = z.object({
  id: z.uuid(),
  type: field.memoryType,
  content: z.string(),
  category: field.category.nullable(),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.number(),
  occurred_at: field.instant,
  created_at: field.instant,
  updated_at: field.instant,
  version: z.int(),
  source: provenance,
  session_id: z.string().optional(),
  /** Of a digest, the episodes it was made of. */
  derived_from: z.array(z.uuid()).optional(),
  /** The newer memory that contradicts this one; recall prefers that. */
  superseded_by: z.uuid().optional(),
  /** The older memory that says the same, for which this one was archived. */
  merged_into: z.uuid().optional(),
  archived_at: field.instant.optional(),
  restorable_until: field.instant.optional(),
});
export type Memory = z.output<typeof memory>;

const newMemoryFields = z.strictObject({
  type: field.memoryType,
  content: field.content,
  category: field.category.optional(),
  key: field.key.optional(),
  tags: field.tags.default([]),
  importance: field.importance.default(0.5),
  occurred_at: field.timestamp.optional(),
  session_id: field.sessionId.optional(),
});

const CATEGORY_NEEDED = {
  path: ['category'],
  message: `is required when type is core: one of ${field.CATEGORIES.join(', ')}`,
};

/** A memory to store. Spec: Resources, Memory, "Required on create". */
export const newMemory = newMemoryFields.refine(
  (input) => input.type !== 'core' || input.category !== undefined,
  CATEGORY_NEEDED,
);
export type NewMemory = z.output<typeof newMemory>;

/** What happened to the memory a call was about; `queued` changes wait with the Guardian. */
const outcome = z.enum(['created', 'updated', 'unchanged', 'queued']);

/** The answer to every call that may create or change a memory. `entry` is there when the change was queued. */
const stored = z.object({ outcome, memory, entry: guardianEntry.optional() });
export type Stored = z.output<typeof stored>;

const memoryChanges = z.strictObject({
  content: field.content.optional(),
  category: field.category.nullable().optional(),
  tags: field.tags.optional(),
  importance: field.importance.optional(),
  occurred_at: field.timestamp.optional(),
  key: field.key.nullable().optional(),
  type: field.memoryType.optional(),
});
export type MemoryChanges = z.output<typeof memoryChanges>;

const byId = z.strictObject({ id: field.id });

const memoryVersion = z.object({
  version: z.int(),
  change: z.enum(['created', 'updated', 'archived', 'restored', 'undone']),
  at: field.instant,
  source: provenance,
  type: field.memoryType,
  content: z.string(),
  category: field.category.nullable(),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.number(),
  occurred_at: field.instant,
  derived_from: z.array(z.uuid()).optional(),
});

export const memoryRoutes = {
  /** Stores one memory; a known `key` updates that memory in place. */
  remember: route({
    method: 'POST',
    path: '/memories',
    access: 'write',
    metering: 'limited',
    summary: 'Store a memory, or update the one with the same key',
    spec: 'Endpoints, Memories: POST /memories',
    request: newMemory,
    response: stored,
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** Stores up to 500 memories, all or none, and answers in the same order. */
  rememberBatch: route({
    method: 'POST',
    path: '/memories/batch',
    access: 'write',
    metering: 'limited',
    summary: 'Store many memories, all or nothing',
    spec: 'Design 5, batch',
    request: z.strictObject({ memories: z.array(newMemory).min(1).max(field.LIMITS.batch) }),
    response: z.object({ memories: z.array(memory), results: z.array(stored.omit({ memory: true })) }),
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** One active memory. */
  get: route({
    method: 'GET',
    path: '/memories/{id}',
    access: 'read',
    metering: 'free',
    summary: 'Read one memory',
    spec: 'Endpoints, Memories: GET /memories/{id}',
    request: byId,
    response: z.object({ memory }),
  }),
  /** Changes fields of one memory; a core memory in a protected category goes through the Guardian. */
  update: route({
    method: 'PATCH',
    path: '/memories/{id}',
    access: 'write',
    metering: 'limited',
    summary: 'Change a memory',
    spec: 'Endpoints, Memories: PATCH /memories/{id}; States',
    request: memoryChanges
      .extend({ id: field.id })
      .refine(({ id: _, ...changes }) => Object.values(changes).some((value) => value !== undefined), {
        path: [],
        message: `name at least one field to change: ${Object.keys(memoryChanges.shape).join(', ')}`,
      }),
    response: stored,
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** Archives a memory: out of recall and boot, restorable for 30 days. */
  forget: route({
    method: 'DELETE',
    path: '/memories/{id}',
    access: 'write',
    metering: 'counted',
    summary: 'Archive a memory (restorable for 30 days)',
    spec: 'Endpoints, Memories: DELETE /memories/{id}; States',
    request: byId,
    response: z.object({
      /** There when the human protects the category: then nothing is archived yet, and `entry` waits. */
      outcome: z.literal('queued').optional(),
      memory: z.object({
        id: z.uuid(),
        archived_at: field.instant.optional(),
        restorable_until: field.instant.optional(),
      }),
      entry: guardianEntry.optional(),
    }),
    errors: ['FORBIDDEN', 'GUARDIAN_PROTECTED'],
  }),
  /** Every version of one memory, newest first. */
  history: route({
    method: 'GET',
    path: '/memories/{id}/history',
    access: 'read',
    metering: 'free',
    summary: 'List the versions of a memory',
    spec: 'Design 5, memory extra fields',
    request: byId,
    response: z.object({ versions: z.array(memoryVersion) }),
  }),
  /** The archived memories that can still be restored, last archived first. */
  archived: route({
    method: 'GET',
    path: '/memories/archived',
    access: 'read',
    metering: 'free',
    summary: 'List archived memories',
    spec: 'Design 5, archive',
    request: z.strictObject({ limit: field.limit.default(50), cursor: field.cursor.optional() }),
    response: z.object({ memories: z.array(memory), next_cursor: z.string().nullable() }),
  }),
  /** Brings an archived memory back within its 30 days. */
  restore: route({
    method: 'POST',
    path: '/memories/{id}/restore',
    access: 'write',
    metering: 'counted',
    summary: 'Restore an archived memory',
    spec: 'States: archived -> active',
    request: byId,
    response: z.object({ memory }),
    errors: ['CONFLICT', 'FORBIDDEN'],
  }),
  /**
   * Takes back everything one source wrote since a time: what it created is archived, what it changed becomes what it
   * was. Repeating it changes nothing more.
   */
  undo: route({
    method: 'POST',
    path: '/memories/undo',
    access: 'write',
    metering: 'counted',
    summary: 'Undo what one source wrote since a time',
    spec: 'Design 5, undo',
    request: z.strictObject({
      source: field.source,
      since: field.since,
      /** Only what was written with this API key, or by this user. */
      credential_id: z.uuid().optional(),
    }),
    response: z.object({
      changes: z.object({
        archived: z.int(),
        restored: z.int(),
        reverted: z.int(),
        /** Protected memories whose undoing waits with the Guardian, since no human asked for it. */
        queued: z.int(),
        /** Changes of the source that were still pending and now never happen. */
        cancelled: z.int(),
        /** Memories left alone: a change of somebody else's is pending, or another memory has taken the key. */
        skipped: z.int(),
      }),
    }),
    errors: ['FORBIDDEN', 'CONFLICT'],
    idempotent: false,
  }),
};
