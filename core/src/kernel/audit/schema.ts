import { bigint, index, jsonb, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import type { Touched } from '../context/context.ts';
import type { AuditChain } from '../contract/audit-chains.ts';
import { instant, tenantId } from '../database/columns.ts';

/** Hash before the first entry of a chain. */
export const NO_HASH = '0'.repeat(64);

/** The audit log: security-relevant acts in the order in which they were committed. Ids only, never content or secrets. */
export const auditEntries = pgTable(
  'audit_entries',
  {
    tenantId: tenantId(),
    chain: text('chain').$type<AuditChain>().notNull(),
    /** 1 for the first entry of the chain, without gaps. */
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    at: instant('at').notNull(),
    act: text('act').notNull(),
    byKind: text('by_kind').notNull(),
    byCredentialId: text('by_credential_id'),
    touched: jsonb('touched').$type<Touched>().notNull(),
    /** SHA-256 of the canonical form, in lower-case hexadecimal digits. */
    hash: text('hash').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.tenantId, table.chain, table.sequence] }),
    index('audit_entries_act').on(table.tenantId, table.chain, table.act, table.sequence),
  ],
);
export type AuditEntryRow = typeof auditEntries.$inferSelect;

/** The last entry of each chain, kept apart from the entries, so that a chain cut short shows. Locked while one is added. */
export const auditHeads = pgTable(
  'audit_heads',
  {
    tenantId: tenantId(),
    chain: text('chain').$type<AuditChain>().notNull(),
    /** 0 before the first entry. */
    sequence: bigint('sequence', { mode: 'number' }).notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tenantId, table.chain] })],
);
