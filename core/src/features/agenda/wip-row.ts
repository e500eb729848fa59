import type { WipItem } from './wip-contract.ts';
import type { WipRow } from './wip-schema.ts';

/** A stored piece of work as answers show it. */
export function toWipItem(row: WipRow): WipItem {
  return {
    id: row.id,
    title: row.title,
    note: row.note,
    status: row.status,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
    source: { kind: row.source, credential_id: row.credentialId },
  };
}
