import type { Source } from '../contract/fields.ts';
import type { MemoryFields } from '../memory/row.ts';
import type { GuardianEntry } from './contract.ts';
import type { EntryRow, GuardedFields } from './schema.ts';

/** A stored entry as answers show it. */
export function toEntry(row: EntryRow): GuardianEntry {
  return {
    id: row.id,
    memory_id: row.memoryId,
    current: row.current,
    proposed: row.proposed,
    drift: row.drift,
    baseline_drift: row.baselineDrift,
    status: row.status,
    requested_at: row.requestedAt.toISOString(),
    requested_by: toProvenance(row.source, row.credentialId),
    cooling_until: row.coolingUntil.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedSource && toProvenance(row.decidedSource, row.decidedBy),
    reason: row.reason,
  };
}

/** A memory's fields as an entry keeps them. */
export function toGuardedFields(fields: MemoryFields): GuardedFields {
  const { type, content, category, key, tags, importance, occurredAt } = fields;
  return { type, content, category, key, tags, importance, occurred_at: occurredAt.toISOString() };
}

/** The fields an entry would give a memory. */
export function toMemoryFields({ occurred_at, ...fields }: GuardedFields): MemoryFields {
  return { ...fields, occurredAt: new Date(occurred_at) };
}

function toProvenance(kind: Source, credentialId: string | null): GuardianEntry['requested_by'] {
  return { kind, credential_id: credentialId };
}
