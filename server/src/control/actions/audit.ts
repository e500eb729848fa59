import { AUDIT_CHAINS, type AuditVerdict, type Engine, type TenantRecord } from '@svc-memory/core';
import { auditEntry, auditVerdict, checkpoint } from '@svc-memory/core/server';
import { z } from 'zod';
import { chooseTenant, chooseTenants, tenantHint } from '../choose-tenant.ts';
import type { EngineAction } from '../engine-action.ts';

const chain = z.enum(AUDIT_CHAINS);

/** A checkpoint with the chain that it is of, as a line of a file holds it. A line of an export is one, too. */
export const keptCheckpoint = checkpoint.extend({ tenant_id: z.uuid(), chain });
export type KeptCheckpoint = z.output<typeof keptCheckpoint>;

const wanted = z.object({
  /** Default: all tenants. */
  tenant: z.string().optional(),
  /** What the chains must still have. */
  kept: z.array(keptCheckpoint),
});

const found = auditVerdict.extend({ tenantId: z.uuid(), displayName: z.string(), chain });
/** What was found of one chain. */
export type FoundChain = z.output<typeof found>;

/** Checks the audit logs of all tenants, or of one. */
export const verifyAuditLogs: EngineAction<z.output<typeof wanted>, FoundChain[]> = {
  name: 'audit.verify',
  input: wanted,
  output: z.array(found),
  run: async (engine, { tenant, kept }) => {
    const tenants = await chooseTenants(engine, tenant);
    const known = new Set(tenants.map(({ id }) => id));
    const gone = kept.filter(({ tenant_id: id }) => tenant === undefined && !known.has(id));
    const chains = [];
    for (const one of tenants) chains.push(...(await verifyTenant(engine, one, kept)));
    return [...chains, ...goneChains(gone)];
  },
};

async function verifyTenant(
  engine: Engine,
  { id: tenantId, displayName }: TenantRecord,
  kept: readonly KeptCheckpoint[],
): Promise<FoundChain[]> {
  const chains = [];
  for (const chain of AUDIT_CHAINS) {
    const own = kept.filter((one) => one.tenant_id === tenantId && one.chain === chain);
    const verdict: AuditVerdict = await engine.auditLog.verify({ tenantId, chain }, own);
    chains.push({ ...verdict, tenantId, displayName, chain });
  }
  return chains;
}

/** Chains that are there no more, together with their tenants. */
function goneChains(kept: readonly KeptCheckpoint[]): FoundChain[] {
  const last = new Map(kept.map((one) => [`${one.tenant_id} ${one.chain}`, one]));
  return [...last.values()].map(({ tenant_id: tenantId, chain, sequence, hash }) => ({
    ...{ tenantId, displayName: 'unknown', chain },
    intact: false,
    entries: 0,
    checkpoint: { sequence, hash },
    broken: {
      sequence: 1,
      reason: 'truncated' as const,
      message: 'The tenant of the checkpoint is missing, with all of its log',
    },
  }));
}

const place = tenantHint.extend({ chain, after: checkpoint });

/** The next entries of a chain after one, oldest first; none at its end. */
export const readAuditLog: EngineAction<z.output<typeof place>, z.output<typeof auditEntry>[]> = {
  name: 'audit.read',
  input: place,
  output: z.array(auditEntry),
  run: async (engine, { chain, after, ...hint }) => {
    const { id: tenantId } = await chooseTenant(engine, hint);
    return engine.auditLog.read({ tenantId, chain }, after);
  },
};
