import { and, asc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { type AuditEntryRow, auditEntries as table } from '../../kernel/audit/schema.ts';
import type { Database } from '../../kernel/database/database.ts';
import type { AuditEntry, ChainOf } from './contract.ts';

/** Entries read at once: the embedded database does nothing else meanwhile. */
export const PAGE = 500;

/** Condition on the entries of a chain. */
export function isOfChain({ tenantId, chain }: ChainOf) {
  return and(eq(table.tenantId, tenantId), eq(table.chain, chain));
}

/** A page of the entries after a sequence, oldest first. */
export function readPage(database: Database, of: ChainOf, after: number): Promise<AuditEntryRow[]> {
  return database.read(of.tenantId, (tx) =>
    tx
      .select()
      .from(table)
      .where(and(isOfChain(of), gt(table.sequence, after)))
      .orderBy(asc(table.sequence))
      .limit(PAGE),
  );
}

/** An entry, and whether its columns hold only what the service writes there. */
export type StoredEntry = AuditEntryRow & { readonly isWellFormed: boolean };

/**
 * Whether an entry has a canonical form that says all that its columns hold. A `touched` that is no object would read as an empty
 * one, so that it could be put in its place under the same hash; an endless time, or one of another era, has no such form.
 */
const isWellFormed = sql<boolean>`(isfinite(${table.at}) AND ${table.at} >= '0001-01-01Z' AND ${table.at} < '10000-01-01Z'
  AND jsonb_typeof(${table.touched}) = 'object')`;

/** The same page with what a check needs. Without `after` from the lowest sequence that is stored, be it below 1. */
export function readStored(database: Database, of: ChainOf, after?: number): Promise<StoredEntry[]> {
  return database.read(of.tenantId, (tx) =>
    tx
      .select({ ...getTableColumns(table), isWellFormed })
      .from(table)
      .where(and(isOfChain(of), after === undefined ? undefined : gt(table.sequence, after)))
      .orderBy(asc(table.sequence))
      .limit(PAGE),
  );
}

export function toAuditEntry(row: AuditEntryRow, previous: string): AuditEntry {
  return {
    tenant_id: row.tenantId,
    chain: row.chain,
    sequence: row.sequence,
    at: row.at.toISOString(),
    act: row.act,
    by: { kind: row.byKind, credential_id: row.byCredentialId },
    touched: row.touched as AuditEntry['touched'],
    previous,
    hash: row.hash,
  };
}
