import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';
import { someOf } from '../../kernel/contract/settings.ts';
import type { Memory, Stored } from '../records/contract.ts';
import { guardedFields, guardianEntry, memory, stored } from '../records/contract.ts';

declare module '../../kernel/context/hooks.ts' {
  interface ChangingHooks {
    /**
     * A memory about to be stored, batch, sync and import included; not yet in a transaction. Fields that the caller left out
     * are undefined: a new memory gets their defaults, a known key keeps what it has.
     */
    'memory:beforeStore': NewMemory;
  }
  interface NotifyingHooks {
    'memory:stored': { readonly memory: Memory; readonly outcome: Stored['outcome'] };
  }
}

declare module '../../kernel/context/context.ts' {
  interface EngineSettings {
    /** Whether the same said again counts for the memory that says it already, and makes no second one. Default true. */
    readonly mergeRepeated: boolean;
  }
}

const newMemoryFields = z.strictObject({
  type: field.memoryType,
  content: field.content,
  category: field.category.optional(),
  key: field.key.optional(),
  tags: field.tags.optional(),
  importance: field.importance.optional().meta({ description: 'A new memory without it gets 0.5.' }),
  occurred_at: field.timestamp.optional(),
  session_id: field.sessionId.optional(),
  valid_from: field.timestamp
    .optional()
    .meta({ description: 'When it begins to hold. Default: occurred_at.' }),
  valid_to: field.timestamp
    .nullable()
    .optional()
    .meta({ description: 'When it ends to hold. Default: open.' }),
  expires_at: field.timestamp
    .nullable()
    .optional()
    .meta({ description: 'From then on it is in no answer. Default: never.' }),
  metadata: field.metadata.optional(),
  supersedes: field.supersedes.optional(),
});

export const CATEGORY_NEEDED = {
  path: ['category'],
  message: `is required when type is core: one of ${field.CATEGORIES.join(', ')}`,
};

/**
 * A memory to store. Omitted fields stay undefined here, because their default depends on the key: a new memory gets the
 * default, and an existing one keeps its value.
 */
export const newMemory = newMemoryFields.refine(
  (input) => input.type !== 'core' || input.category !== undefined,
  CATEGORY_NEEDED,
);
/** A memory to be stored, after its schema: defaults filled in, times as `Date`. */
export type NewMemory = z.output<typeof newMemory>;

const newMemoryOfUser = newMemoryFields
  .extend({ ...field.ofUserOrSpace })
  .refine((input) => input.type !== 'core' || input.category !== undefined, CATEGORY_NEEDED);

const memoryChanges = z.strictObject({
  content: field.content.optional(),
  category: field.category.nullable().optional(),
  tags: field.tags.optional(),
  importance: field.importance.optional(),
  occurred_at: field.timestamp.optional(),
  key: field.key.nullable().optional(),
  type: field.memoryType.optional(),
  valid_from: field.timestamp.nullable().optional(),
  valid_to: field.timestamp.nullable().optional(),
  expires_at: field.timestamp.nullable().optional(),
  metadata: field.metadata.nullable().optional(),
  supersedes: field.supersedes.optional(),
  superseded_by: z.null().optional().meta({ description: 'null: nothing supersedes it any more.' }),
});
export type MemoryChanges = z.output<typeof memoryChanges>;

const byId = z.strictObject({ id: field.id });

const memoryVersion = z.object({
  version: z.int(),
  change: z.enum(['created', 'updated', 'archived', 'restored', 'undone']),
  at: field.instant,
  source: field.provenance,
  ...guardedFields.shape,
  derived_from: z.array(z.uuid()).optional(),
});

/** What an undo would do to one memory. */
const undoStep = z.object({
  /** `queued`: the Guardian would be asked. `skipped`: a change of somebody else's is pending. */
  action: z.enum(['archived', 'restored', 'reverted', 'queued', 'skipped']),
  memory,
  /** What it would say; null where it would be archived. */
  content: z.string().nullable(),
});
export type UndoStep = z.output<typeof undoStep>;

export const memoryRoutes = {
  /** Stores one memory; a known `key` updates that memory in place, in the fields that are given. */
  remember: route({
    method: 'POST',
    path: '/memories',
    access: 'write',
    metering: 'limited',
    users: 'own',
    spaces: 'write',
    verifiesKeyOnCommit: true,
    summary: 'Store a memory, or update the one with the same key',
    request: newMemoryOfUser,
    response: stored,
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** Stores up to 500 memories, all or none, and answers in the same order. */
  rememberBatch: route({
    method: 'POST',
    path: '/memories/batch',
    access: 'write',
    metering: 'limited',
    users: 'own',
    spaces: 'write',
    verifiesKeyOnCommit: true,
    summary: 'Store many memories, all or nothing',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      memories: z.array(newMemory).min(1).max(field.LIMITS.batch),
    }),
    response: z.object({
      memories: z.array(memory),
      results: z.array(stored.omit({ memory: true, redacted: true })),
      redacted: field.redacted,
    }),
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** One active memory. */
  get: route({
    method: 'GET',
    path: '/memories/{id}',
    access: 'read',
    metering: 'free',
    users: 'first',
    spaces: 'read',
    summary: 'Read one memory',
    request: byId.extend({ ...field.ofUserOrSpace }),
    response: z.object({
      memory,
      /** Where it superseded others or was superseded: the facts that followed one another, the oldest first, itself among them. */
      chain: z
        .array(memory.pick({ id: true, content: true, valid_from: true, superseded_by: true }))
        .optional(),
    }),
  }),
  /** Changes fields of one memory; a core memory in a protected category goes through the Guardian. */
  update: route({
    method: 'PATCH',
    path: '/memories/{id}',
    access: 'write',
    metering: 'limited',
    users: 'own',
    spaces: 'write',
    conditional: true,
    summary: 'Change a memory',
    request: memoryChanges.extend({ ...field.ofUserOrSpace, id: field.id }).refine(...someOf(memoryChanges)),
    response: stored,
    errors: ['GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** Archives a memory: out of recall and boot, restorable for 30 days. */
  forget: route({
    method: 'DELETE',
    path: '/memories/{id}',
    access: 'write',
    metering: 'counted',
    users: 'own',
    spaces: 'write',
    conditional: true,
    summary: 'Archive a memory (restorable for 30 days)',
    request: byId.extend({ ...field.ofUserOrSpace }),
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
    errors: ['FORBIDDEN', 'GUARDIAN_PROTECTED', 'CONFLICT'],
  }),
  /** One memory, archived or not, and every version of it, newest first. */
  history: route({
    method: 'GET',
    path: '/memories/{id}/history',
    access: 'read',
    metering: 'free',
    users: 'first',
    spaces: 'read',
    summary: 'List the versions of a memory',
    request: byId.extend({ ...field.ofUserOrSpace }),
    response: z.object({
      /** As it is now, also where it is archived. */
      memory,
      /** The memories whose place it took, the latest first; at most 20. */
      superseded: z.array(z.uuid()),
      versions: z.array(memoryVersion),
    }),
  }),
  /** The archived memories that can still be restored, last archived first. */
  archived: route({
    method: 'GET',
    path: '/memories/archived',
    access: 'read',
    metering: 'free',
    users: 'own',
    spaces: 'read',
    summary: 'List archived memories',
    request: z.strictObject({
      ...field.ofUserOrSpace,
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ memories: z.array(memory), next_cursor: z.string().nullable() }),
  }),
  /** Brings an archived memory back within its 30 days. */
  restore: route({
    method: 'POST',
    path: '/memories/{id}/restore',
    access: 'write',
    metering: 'counted',
    users: 'own',
    spaces: 'write',
    summary: 'Restore an archived memory',
    request: byId.extend({ ...field.ofUserOrSpace }),
    response: z.object({
      /** There when the memory is protected and the agent asks: it stays archived, and `entry` waits. */
      outcome: z.literal('queued').optional(),
      memory,
      entry: guardianEntry.optional(),
    }),
    errors: ['CONFLICT', 'FORBIDDEN', 'GUARDIAN_PROTECTED'],
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
    users: 'own',
    spaces: 'manage',
    summary: 'Undo what one source wrote since a time',
    request: z.strictObject({
      user_id: field.userOrAll.optional(),
      space_id: field.spaceId.optional(),
      source: field.source,
      since: field.since,
      /** Only what was written with this API key, or by this user. */
      credential_id: z.uuid().optional(),
      /** Of a space: only what this agent wrote. */
      agent_id: z.uuid().optional(),
      dry_run: z
        .boolean()
        .default(false)
        .meta({ description: 'Changes nothing, and tells what would change.' }),
    }),
    response: z.object({
      /** Of a dry run, what would change, the first 100 by id. */
      preview: z.array(undoStep).optional(),
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
