import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Services, Touched } from '../context/context.ts';
import { compileStatement } from '../database/compiled-statement.ts';
import type { Tx } from '../database/database.ts';
import { listText } from '../database/parameters.ts';
import { type AuditedAct, type AuditedBy, OPERATOR } from './act.ts';
import { canonicalParts, type UnchainedEntry } from './canonical-form.ts';
import { auditEntries, auditHeads, NO_HASH } from './schema.ts';

/** Writes an act into the log of one tenant or several. Comes last in its transaction: the chain stays locked until its end. */
export async function appendToAuditLog(
  tx: Tx,
  services: Pick<Services, 'auditActs' | 'clock'>,
  tenantIds: readonly string[],
  act: AuditedAct,
): Promise<void> {
  if (tenantIds.length === 0) return;
  await tx.execute(auditStatement(tenantIds, toUnchained(services.auditActs, act, services.clock())));
}

/** Begins the log of a new tenant with its creation. */
export async function openAuditLog(
  tx: Tx,
  services: Pick<Services, 'auditActs' | 'clock'>,
  tenantId: string,
  by: AuditedBy,
): Promise<void> {
  // A chain without its head was tampered with, also one without entries.
  await tx.insert(auditHeads).values({ tenantId, chain: 'agent', sequence: 0, hash: NO_HASH });
  await appendToAuditLog(tx, services, [tenantId], { act: 'agent.created', by });
}

/** @throws TypeError for an act that no feature names. */
export function toUnchained(
  auditActs: Services['auditActs'],
  { act, by, touched = {} }: AuditedAct,
  at: Date,
): UnchainedEntry {
  const chain = auditActs.get(act);
  if (chain === undefined) throw new TypeError(`no feature names ${act} in its acts`);
  return { act, at, chain, byKind: by.kind, byCredentialId: by.credentialId, touched };
}

/** An entry for what the operator does beside the engine, for the chain that an agent's human reads. */
export function operatorEntry(act: string, touched: Touched, at: Date): UnchainedEntry {
  const { kind, credentialId } = OPERATOR;
  return { act, at, chain: 'account', byKind: kind, byCredentialId: credentialId, touched };
}

/**
 * Adds an entry to the chain of each tenant. The row of the head is locked first, so that concurrent entries follow each
 * other; the hash is made there, since the entry before is known only then.
 */
export function auditStatement(tenantIds: readonly string[], entry: UnchainedEntry): SQLWrapper {
  const [start, beforeSequence, beforeTenant, end] = canonicalParts(entry);
  return appending({
    ...{ start, beforeSequence, beforeTenant, end },
    tenantIds: listText(tenantIds),
    chain: entry.chain,
    at: entry.at.toISOString(),
    act: entry.act,
    kind: entry.byKind,
    // A compiled statement takes no null.
    credentialId: JSON.stringify(entry.byCredentialId),
    touched: JSON.stringify(entry.touched),
  });
}

type Value =
  | 'start'
  | 'beforeSequence'
  | 'beforeTenant'
  | 'end'
  | 'tenantIds'
  | 'chain'
  | 'at'
  | 'act'
  | 'kind'
  | 'credentialId'
  | 'touched';

const appending = compileStatement<Record<Value, string>>((param) => {
  const text = (name: Value) => sql`${param(name)}::text`;
  const hash = (previous: SQL, sequence: SQL, tenantId: SQL) =>
    sql`encode(sha256(convert_to(${text('start')} || ${previous} || ${text('beforeSequence')} || ${sequence}::text
      || ${text('beforeTenant')} || ${tenantId}::text || ${text('end')}, 'UTF8')), 'hex')`;
  // Sorted, so that concurrent statements lock the heads of several tenants in the same order.
  return sql`WITH head AS (
      INSERT INTO ${auditHeads} AS head (tenant_id, chain, sequence, hash)
      SELECT id, ${text('chain')}, 1, ${hash(sql.raw(`'${NO_HASH}'`), sql`1`, sql`id`)}
      FROM unnest(${param('tenantIds')}::uuid[]) AS tenant(id) ORDER BY id
      ON CONFLICT (tenant_id, chain) DO UPDATE SET sequence = head.sequence + 1,
        hash = ${hash(sql`head.hash`, sql`(head.sequence + 1)`, sql`head.tenant_id`)}
      RETURNING tenant_id, sequence, hash
    )
    INSERT INTO ${auditEntries} (tenant_id, chain, sequence, at, act, by_kind, by_credential_id, touched, hash)
    SELECT tenant_id, ${text('chain')}, sequence, ${param('at')}::timestamptz, ${text('act')}, ${text('kind')},
      ${param('credentialId')}::jsonb #>> '{}', ${param('touched')}::jsonb, hash FROM head`;
});
