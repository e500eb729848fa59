import type { ScheduleItem } from './schedule-contract.ts';
import type { ScheduleRow } from './schedule-schema.ts';

/** A stored entry as answers show it. */
export function toScheduleItem(row: ScheduleRow): ScheduleItem {
  return {
    id: row.id,
    title: row.title,
    note: row.note,
    due_at: row.dueAt.toISOString(),
    status: row.status,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    source: { kind: row.source, credential_id: row.credentialId },
  };
}
