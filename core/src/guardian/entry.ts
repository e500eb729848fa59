import type { MemoryFields } from '../memory/row.ts';
import type { GuardianEntry } from './contract.ts';
import type { GuardedFields, guardianEntries } from './schema.ts';

/** A stored entry as answers show it. */
export function toEntry(row: typeof guardianEntries.$inferSelect): GuardianEntry {
  return {
    id: row.id,
    memory_id: row.memoryId,
    current: row.current,
    proposed: row.proposed,
    drift: row.drift,
    status: row.status,
    requested_at: row.requestedAt.toISOString(),
    cooling_until: row.coolingUntil.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
  };
}

/** A memory's fields as an entry keeps them. */
export function toGuardedFields({ occurredAt, ...fields }: MemoryFields): GuardedFields {
  return { ...fields, occurred_at: occurredAt.toISOString() };
}
