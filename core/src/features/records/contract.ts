import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';

/** The fields of a memory that its author sets. The Guardian compares them, as they are or as they would become. */
export const guardedFields = z.object({
  type: field.memoryType,
  /** Empty once the memory is erased for good. */
  content: z.string(),
  category: field.category.nullable(),
  key: z.string().nullable(),
  tags: z.array(z.string()),
  importance: z.number(),
  occurred_at: field.instant,
  /** When what it says begins to hold: what its author said, or `occurred_at`. */
  valid_from: field.instant.optional(),
  /** When it ends to hold by itself; absent: open. What supersedes it may end it earlier. */
  valid_to: field.instant.optional(),
  /** From then on it is in no answer. */
  expires_at: field.instant.optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

/** One memory as every answer shows it. */
export const memory = z.object({
  id: z.uuid(),
  ...guardedFields.shape,
  /** The user of the agent that it concerns; left out of what is the agent's own. */
  user_id: z.string().optional(),
  /** The space that it is in, which several agents share. */
  space_id: z.uuid().optional(),
  /** How often the same was said again, and when last. */
  confirmations: z.int().optional(),
  last_confirmed_at: field.instant.optional(),
  created_at: field.instant,
  updated_at: field.instant,
  version: z.int(),
  source: field.provenance,
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
/** A memory as it is answered. */
export type Memory = z.output<typeof memory>;

/**
 * One line of the Guardian's audit trail: a change to a protected core memory that waits to be decided, how a former
 * one ended, or a protected memory that was added.
 */
export const guardianEntry = z.object({
  id: z.uuid(),
  memory_id: z.uuid(),
  /** Null where a new memory was added. */
  current: guardedFields.nullable(),
  /** Null where the memory is to be archived. */
  proposed: guardedFields.nullable(),
  /**
   * How far the change carries the meaning, 0..1, from what the human last approved, or what the memory said at first; 0
   * where it cannot change the meaning, 1 for a removal, an addition and a move to another type or category.
   */
  drift: z.number(),
  /** The same when cooling ended; null before. */
  baseline_drift: z.number().nullable(),
  /**
   * Why the change needs the human, the gravest first, such as "a negation was removed"; empty where it cannot change the
   * meaning, so that it is applied when cooling ends.
   */
  concerns: z.array(z.string()),
  /**
   * `cooling`: pending until `cooling_until`; `waiting`: for the human, time will not apply it; `applied`: cooled and
   * applied; `approved`, `rejected`: by the human; `withdrawn`: by the agent; `added`: a protected memory that the agent
   * stored and the human has not confirmed: approving confirms it, rejecting archives it.
   */
  status: z.enum(['cooling', 'waiting', 'applied', 'approved', 'rejected', 'withdrawn', 'added']),
  requested_at: field.instant,
  requested_by: field.provenance,
  cooling_until: field.instant,
  decided_at: field.instant.nullable(),
  /** Null while undecided, and where time decided. */
  decided_by: field.provenance.nullable(),
  reason: z.string().nullable(),
});
/** A change to a protected memory in the Guardian's queue, and what was decided of it. */
export type GuardianEntry = z.output<typeof guardianEntry>;

/** What the Guardian applies when cooling ends without the human. */
export const UNATTENDED = ['harmless', 'nothing'] as const;
export type Unattended = (typeof UNATTENDED)[number];

/** Another memory, and why it was named. */
const related = z.object({ id: z.uuid(), content: z.string(), reason: z.string() });

/**
 * What happened to the memory a call was about. Of what was said before that is `unchanged`, or `merged` where the memory that is
 * there got tags or importance of it. `queued` changes wait with the Guardian.
 */
const outcome = z.enum(['created', 'updated', 'unchanged', 'merged', 'queued']);

/** The answer to every call that may create or change a memory. `entry` is there when the change was queued. */
export const stored = z.object({
  outcome,
  memory,
  entry: guardianEntry.optional(),
  redacted: field.redacted,
  /** Those whose place the memory took, and why. */
  superseded: z.array(related).optional(),
  /**
   * Those that may say otherwise, where it is not sure: to replace one, PATCH the new memory with `supersedes`. Else both hold.
   */
  conflicts: z.array(related).optional(),
});
/** The answer to a call that may create or change a memory: the memory, and what it superseded or may contradict. */
export type Stored = z.output<typeof stored>;

/** Why a memory supersedes another: somebody stated it, the rules found it, or the language model did. */
export const linkBasis = z.enum(['stated', 'rule', 'model']);
export type LinkBasis = z.output<typeof linkBasis>;
