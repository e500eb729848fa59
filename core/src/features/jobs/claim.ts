import { and, eq, isNull, min, sql } from 'drizzle-orm';
import type { Services } from '../../kernel/context/context.ts';
import { type Database, rows } from '../../kernel/database/database.ts';
import { texts, timestamptz, uuids } from '../../kernel/database/parameters.ts';
import { claimRows, isDue, isHeld, LEASE_MS, leaseEnd } from '../../kernel/queue/claim.ts';
import { MINUTE_MS } from '../../kernel/runtime/durations.ts';
import { tenants } from '../../kernel/tenancy/schema.ts';
import { type JobRow, jobs } from './schema.ts';

/** Waits between the attempts of a step. */
export const STEP_BACKOFF = { firstMs: 5_000, longestMs: 15 * MINUTE_MS };

/** A job this process holds until its lease ends. */
export type ClaimedJob = JobRow & { readonly claim: string };

/**
 * Takes one due job for this process alone: a new one, one whose wait is over, or one of a process that died.
 *
 * @param served Agents whose jobs this process took before, the latest last: those of others come first, so that the many jobs of
 *   one agent do not keep others waiting.
 * @returns the job, and the agent whose it is.
 */
export async function claimJob(
  { database, clock, ids }: Services,
  kinds: readonly string[],
  served: readonly string[],
): Promise<{ readonly job: ClaimedJob; readonly agentId: string } | undefined> {
  const now = clock();
  const claim = ids();
  const start = sql`, status = 'running', attempts = attempts + 1,
    started_at = coalesce(started_at, ${timestamptz(now)})`;
  const agentId = sql`coalesce(tenant.agent_id, tenant.tenant_id)`;
  return database.system(async (tx) => {
    // Index jobs_due. A tenant without a row is being erased. Of what was never tried the time does not matter: it is when the job
    // was made.
    const [taken] = await rows<{ tenant_id: string; id: string }>(
      tx,
      sql`WITH due AS MATERIALIZED (
            SELECT job.tenant_id, job.id
            FROM ${jobs} job JOIN ${tenants} tenant ON tenant.tenant_id = job.tenant_id
            WHERE finished_at IS NULL AND kind = ANY(${texts(kinds)})
              AND (attempts = 0 OR ${isDue(now, 2 * STEP_BACKOFF.longestMs)})
            ORDER BY coalesce(array_position(${uuids(served)}, ${agentId}), 0), due_at
            LIMIT 1 FOR UPDATE OF job SKIP LOCKED)
          ${claimRows(jobs, claim, now, start)}`,
    );
    if (!taken) return undefined;
    const [found] = await tx
      .select({ row: jobs, agentId: tenants.agentId })
      .from(jobs)
      .innerJoin(tenants, eq(tenants.tenantId, jobs.tenantId))
      .where(and(eq(jobs.tenantId, taken.tenant_id), eq(jobs.id, taken.id)));
    return found && { job: { ...found.row, claim }, agentId: found.agentId ?? taken.tenant_id };
  });
}

/** When the next job may be claimed, or its claim ends. Index jobs_due. */
export async function nextJob({ database }: Services): Promise<Date | undefined> {
  const [next] = await database.system((tx) =>
    tx
      .select({ dueAt: min(jobs.dueAt) })
      .from(jobs)
      .where(isNull(jobs.finishedAt)),
  );
  return next?.dueAt ?? undefined;
}

/** The hold on a job while work on it goes on. */
interface Lease {
  /** Fires when the job was cancelled or lost to another process. */
  readonly signal: AbortSignal;
  end(): void;
}

/** Renews the lease for as long as the work on a job takes. */
export function keepLease({ database, clock }: Services, job: ClaimedJob): Lease {
  const lost = new AbortController();
  const renew = async () => {
    const dueAt = leaseEnd(clock());
    const held = await database.transaction(job.tenantId, (tx) =>
      tx.update(jobs).set({ dueAt }).where(isHeld(jobs, job)).returning({ id: jobs.id }),
    );
    if (held.length === 0) lost.abort();
  };
  // A renewal that fails is tried again; if none succeeds, the lease ends and the commit finds that out.
  const timer = setInterval(() => void renew().catch(() => {}), LEASE_MS / 12);
  timer.unref();
  return { signal: lost.signal, end: () => clearInterval(timer) };
}

/**
 * Releases the jobs of a process that ended, before their leases end. Only for a process that has the database to itself: the
 * embedded database, by its folder lock.
 */
export async function releaseAllJobs(database: Database): Promise<void> {
  await database.systemBatch([sql`UPDATE ${jobs} SET due_at = now(), claim = NULL WHERE claim IS NOT NULL`]);
}
