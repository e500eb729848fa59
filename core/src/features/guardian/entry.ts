import type { Source } from '../../kernel/contract/fields.ts';
import type { GuardianEntry } from '../records/contract.ts';
import type { EntryRow, GuardedFields } from '../records/pending-change-schema.ts';
import { type MemoryFields, optionalFields, provenanceOf } from '../records/row.ts';

/** A stored entry as answers show it. */
export function toEntry(row: EntryRow): GuardianEntry {
  return {
    id: row.id,
    memory_id: row.memoryId,
    current: row.current,
    proposed: row.proposed,
    drift: row.drift,
    baseline_drift: row.baselineDrift,
    concerns: row.concerns,
    status: row.status,
    requested_at: row.requestedAt.toISOString(),
    requested_by: provenanceOf(row),
    cooling_until: row.coolingUntil.toISOString(),
    decided_at: row.decidedAt?.toISOString() ?? null,
    decided_by: row.decidedSource && toProvenance(row.decidedSource, row.decidedBy),
    reason: row.reason,
  };
}

/** A memory's fields as an entry keeps them. */
export function toGuardedFields(fields: MemoryFields): GuardedFields {
  const { type, content, category, key, tags, importance, occurredAt } = fields;
  return {
    ...{ type, content, category, key, tags, importance },
    occurred_at: occurredAt.toISOString(),
    ...(fields.validFrom && { valid_from: fields.validFrom.toISOString() }),
    ...optionalFields(fields),
  };
}

/** The fields an entry would give a memory. */
export function toMemoryFields(entry: GuardedFields): MemoryFields {
  const { occurred_at, valid_from, valid_to, expires_at, metadata, ...fields } = entry;
  const moment = (text: string | undefined) => (text === undefined ? null : new Date(text));
  return {
    ...fields,
    occurredAt: new Date(occurred_at),
    validFrom: moment(valid_from),
    validTo: moment(valid_to),
    expiresAt: moment(expires_at),
    metadata: metadata ?? null,
  };
}

function toProvenance(kind: Source, credentialId: string | null): GuardianEntry['requested_by'] {
  return { kind, credential_id: credentialId };
}
