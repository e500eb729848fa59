import { and, asc, eq, gt } from 'drizzle-orm';
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

/** An entry as it is shown. */
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
