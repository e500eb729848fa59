import { createHash } from 'node:crypto';
import type { Touched } from '../context/context.ts';
import type { AuditEntryRow } from './schema.ts';

/** An entry as far as its hash does not depend on its place: known before its transaction commits. */
export type UnchainedEntry = Omit<AuditEntryRow, 'tenantId' | 'sequence' | 'hash'>;

/**
 * The canonical form of an entry by RFC 8785 (JSON without spaces, names in alphabetical order), in four parts: the hash of
 * the entry before, the sequence and the tenant stand between them.
 */
export function canonicalParts(entry: UnchainedEntry): readonly [string, string, string, string] {
  const { act, at, byKind, byCredentialId, chain, touched } = entry;
  const first = JSON.stringify({ act, at: at.toISOString() }).slice(0, -1);
  const by = JSON.stringify({ credential_id: byCredentialId, kind: byKind });
  return [
    `${first},"by":${by},"chain":${JSON.stringify(chain)},"previous":"`,
    '","sequence":',
    ',"tenant_id":"',
    `","touched":${canonicalTouched(touched)}}`,
  ];
}

/** The hash of an entry in its place. */
export function hashEntry(entry: Omit<AuditEntryRow, 'hash'>, previous: string): string {
  const [start, beforeSequence, beforeTenant, end] = canonicalParts(entry);
  const text = `${start}${previous}${beforeSequence}${entry.sequence}${beforeTenant}${entry.tenantId}${end}`;
  return createHash('sha256').update(text).digest('hex');
}

/** The database keeps no order of names. RFC 8785 sorts them by UTF-16 code units, as JavaScript compares texts. */
function canonicalTouched(touched: Touched): string {
  return JSON.stringify(Object.fromEntries(Object.entries(touched).sort(([a], [b]) => (a < b ? -1 : 1))));
}
