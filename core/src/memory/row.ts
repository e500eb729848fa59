import type { Category, MemoryType } from '../contract/fields.ts';
import type { Memory } from './contract.ts';
import type { MemoryRow } from './schema.ts';

/** Days an archived memory can be restored; then it is erased for good. Spec: Limits, restore window. */
export const RESTORE_DAYS = 30;

/** The fields of a memory that its author decides. */
export interface MemoryFields {
  readonly type: MemoryType;
  readonly content: string;
  readonly category: Category | null;
  readonly key: string | null;
  readonly tags: string[];
  readonly importance: number;
  readonly occurredAt: Date;
}

/** A stored memory as answers show it. */
export function toMemory(row: MemoryRow): Memory {
  return {
    id: row.id,
    type: row.type,
    content: row.content,
    category: row.category,
    key: row.key,
    tags: row.tags,
    importance: row.importance,
    occurred_at: row.occurredAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    version: row.version,
    source: { kind: row.source, credential_id: row.credentialId },
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

/** The author's fields of a stored memory. */
export function fieldsOf(row: MemoryRow): MemoryFields {
  const { type, content, category, key, tags, importance, occurredAt } = row;
  return { type, content, category, key, tags, importance, occurredAt };
}

/** Whether two memories say the same in every field their author decides. */
export function sameFields(one: MemoryFields, other: MemoryFields): boolean {
  const comparable = ({ occurredAt, ...rest }: MemoryFields) => JSON.stringify([rest, occurredAt.getTime()]);
  return comparable(one) === comparable(other);
}

/** The end of the restore window of a memory archived then. */
export function restorableUntil(archivedAt: Date): Date {
  return new Date(archivedAt.getTime() + RESTORE_DAYS * 86_400_000);
}
