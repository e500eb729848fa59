import { isDeepStrictEqual } from 'node:util';
import {
  type Category,
  LIMITS,
  type MemoryType,
  type Metadata,
  type Source,
} from '../../kernel/contract/fields.ts';
import { DAY_MS, MINUTE_MS } from '../../kernel/runtime/durations.ts';
import type { LinkBasis, Memory } from './contract.ts';
import type { MemoryRow } from './schema.ts';

/** Days an archived memory can be restored; then it is erased for good. */
export const RESTORE_DAYS = 30;

/** The importance of a memory whose author named none. */
export const DEFAULT_IMPORTANCE = 0.5;

/** The fields of a memory that its author decides. */
export interface MemoryFields {
  readonly type: MemoryType;
  readonly content: string;
  readonly category: Category | null;
  readonly key: string | null;
  readonly tags: string[];
  readonly importance: number;
  readonly occurredAt: Date;
  /** Null: when it occurred. */
  readonly validFrom: Date | null;
  /** Null: open. */
  readonly validTo: Date | null;
  /** Null: never. */
  readonly expiresAt: Date | null;
  readonly metadata: Metadata | null;
}

/** What stays inside: answers show none of it. */
type Inner =
  | 'change'
  | 'supersededBasis'
  | 'contentSource'
  | 'length'
  | 'fingerprint'
  | 'sketch'
  | 'echoes'
  | 'digestId'
  | 'conflictsWith';

/** A stored memory as answers show it. */
export function toMemory(row: Omit<MemoryRow, Inner>): Memory {
  return {
    id: row.id,
    type: row.type,
    content: row.content,
    category: row.category,
    key: row.key,
    tags: row.tags,
    importance: row.importance,
    occurred_at: row.occurredAt.toISOString(),
    valid_from: startOf(row).toISOString(),
    ...optionalFields(row),
    ...(row.lastConfirmedAt === null
      ? {}
      : { confirmations: row.confirmations, last_confirmed_at: row.lastConfirmedAt.toISOString() }),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    version: row.version,
    source: provenanceOf(row),
    ...(row.sessionId === null ? {} : { session_id: row.sessionId }),
    ...(row.derivedFrom.length === 0 ? {} : { derived_from: row.derivedFrom }),
    ...(row.supersededBy === null ? {} : { superseded_by: row.supersededBy }),
    ...(row.mergedInto === null ? {} : { merged_into: row.mergedInto }),
    ...(row.archivedAt === null
      ? {}
      : {
          archived_at: row.archivedAt.toISOString(),
          restorable_until: restorableUntil(row.archivedAt).toISOString(),
        }),
  };
}

/** Who wrote a version of a memory. */
export function provenanceOf({
  source,
  credentialId,
  agentId,
}: Pick<MemoryRow, 'source' | 'credentialId' | 'agentId'>): Memory['source'] {
  return { kind: source, credential_id: credentialId, ...(agentId !== null && { agent_id: agentId }) };
}

/** Who said what a memory says, or a version of it. */
export function contentSourceOf({
  contentSource,
  source,
}: Pick<MemoryRow, 'contentSource' | 'source'>): Source {
  return contentSource ?? source;
}

/** Those of the author's fields that answers leave out where they are not set. */
export function optionalFields({
  validTo,
  expiresAt,
  metadata,
}: Pick<MemoryFields, 'validTo' | 'expiresAt' | 'metadata'>): Pick<
  Memory,
  'valid_to' | 'expires_at' | 'metadata'
> {
  return {
    ...(validTo && { valid_to: validTo.toISOString() }),
    ...(expiresAt && { expires_at: expiresAt.toISOString() }),
    ...(metadata && { metadata }),
  };
}

/** The author's fields of a stored memory. */
export function fieldsOf(row: MemoryFields): MemoryFields {
  const { type, content, category, key, tags, importance, occurredAt } = row;
  const { validFrom, validTo, expiresAt, metadata } = row;
  return {
    ...{ type, content, category, key, tags, importance, occurredAt },
    ...{ validFrom, validTo, expiresAt, metadata },
  };
}

/** Whether two memories say the same in every field their author decides. */
export function sameFields(one: MemoryFields, other: MemoryFields): boolean {
  return isDeepStrictEqual(one, other);
}

/**
 * The tags of one memory that stands for two. None is left out, since a tag may hide a memory from the human.
 *
 * @returns undefined where they are more than a memory may have.
 */
export function joinTags(one: readonly string[], other: readonly string[]): string[] | undefined {
  const joined = [...new Set([...one, ...other])];
  return joined.length <= LIMITS.tags ? joined : undefined;
}

/** When what a memory says begins to hold. */
export function startOf({ validFrom, occurredAt }: Pick<MemoryFields, 'validFrom' | 'occurredAt'>): Date {
  return validFrom ?? occurredAt;
}

/** Memories in the order in which they begin to hold; those of one moment stay as they were. */
export function inOrderOfTime<Item>(items: readonly Item[], start: (item: Item) => Date): Item[] {
  return items.toSorted((one, other) => start(one).getTime() - start(other).getTime());
}

/** By so much the clocks of those who tell of something may be ahead. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

/**
 * Whether a memory begins to hold after a moment only because it is dated so, and not because its author said when it begins: by a
 * clock that ran ahead, or in text brought in. Such a date gives no precedence over what is told of now.
 */
export function isDatedAhead(
  { validFrom, occurredAt }: Pick<MemoryFields, 'validFrom' | 'occurredAt'>,
  moment: Date,
): boolean {
  return validFrom === null && occurredAt.getTime() > moment.getTime() + CLOCK_SKEW_MS;
}

/** The end of the restore window of a memory archived then. */
export function restorableUntil(archivedAt: Date): Date {
  return new Date(archivedAt.getTime() + RESTORE_DAYS * DAY_MS);
}

/** The mark of a memory by which it says that another supersedes it. */
export type Link = Pick<MemoryRow, 'supersededBy' | 'supersededBasis'>;

/** Of a memory that nothing supersedes, as far as the rules know. */
export const NO_LINK: Link = { supersededBy: null, supersededBasis: null };

/** Somebody stated that nothing supersedes the memory. */
export const STATED_FREE: Link = { supersededBy: null, supersededBasis: 'stated' };

export function foundLink(supersededBy: string | null, basis: Exclude<LinkBasis, 'stated'> = 'rule'): Link {
  return { supersededBy, supersededBasis: basis };
}

/** Whether the rules or the language model found what supersedes a memory: such a link follows the times of the two. */
export function isFoundLink({ supersededBy, supersededBasis }: Link): boolean {
  return supersededBy !== null && (supersededBasis === 'rule' || supersededBasis === 'model');
}
