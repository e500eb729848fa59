import { and, eq, sql } from 'drizzle-orm';
import { texts } from '../database/arrays.ts';
import { rows } from '../database/database.ts';
import type { Dependencies } from '../engine/context.ts';
import type { JobKind } from './contract.ts';
import { type JobRow, jobs } from './schema.ts';

/** How long a process that died keeps its jobs, in milliseconds. */
export const LEASE_MS = 60_000;
/** Most a job waits for its next try, in milliseconds. */
export const LONGEST_WAIT_MS = 15 * 60_000;

/** A job this process holds until its lease ends. */
export type ClaimedJob = JobRow & { readonly claim: string };

/** Takes one due job for this process alone: a new one, one whose wait is over, or one of a process that died. */
export async function claimJob(
  { database, clock, ids }: Dependencies,
  kinds: readonly JobKind[],
): Promise<ClaimedJob | undefined> {
  const now = clock();
  const at = (milliseconds: number) => new Date(now.getTime() + milliseconds).toISOString();
  const claim = ids();
  return database.system(async (tx) => {
    // Index jobs_due. Further ahead than any wait can be: the clock was wrong then, or is now.
    const [taken] = await rows<{ tenant_id: string; id: string }>(
      tx,
      sql`WITH due AS MATERIALIZED (
            SELECT tenant_id, id FROM ${jobs}
            WHERE finished_at IS NULL AND kind = ANY(${texts(kinds)})
              AND (due_at <= ${at(0)}::timestamptz OR due_at > ${at(2 * LONGEST_WAIT_MS)}::timestamptz)
            ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
          UPDATE ${jobs} job SET claim = ${claim}::uuid, due_at = ${at(LEASE_MS)}::timestamptz, status = 'running',
            attempts = attempts + 1, started_at = coalesce(started_at, ${at(0)}::timestamptz)
          FROM due WHERE job.tenant_id = due.tenant_id AND job.id = due.id
          RETURNING job.tenant_id, job.id`,
    );
    if (!taken) return undefined;
    const [row] = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.tenantId, taken.tenant_id), eq(jobs.id, taken.id)));
    return row && { ...row, claim };
  });
}

/** The condition that this process still holds a job. */
export function holds({ tenantId, id, claim }: ClaimedJob) {
  return and(eq(jobs.tenantId, tenantId), eq(jobs.id, id), eq(jobs.claim, claim));
}

/** The hold on a job while work on it goes on. */
export interface Lease {
  /** Fires when the job was cancelled or lost to another process. */
  readonly signal: AbortSignal;
  /** Ends the renewing. */
  end(): void;
}

/** Renews the lease for as long as the work on a job takes. */
export function keepLease({ database, clock }: Dependencies, job: ClaimedJob): Lease {
  const lost = new AbortController();
  const renew = async () => {
    const dueAt = new Date(clock().getTime() + LEASE_MS);
    const held = await database.transaction(job.tenantId, (tx) =>
      tx.update(jobs).set({ dueAt }).where(holds(job)).returning({ id: jobs.id }),
    );
    if (held.length === 0) lost.abort();
  };
  // A renewal that fails is tried again; if none succeeds, the lease ends and the commit finds that out.
  const timer = setInterval(() => void renew().catch(() => {}), LEASE_MS / 12);
  timer.unref();
  return { signal: lost.signal, end: () => clearInterval(timer) };
}
