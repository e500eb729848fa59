import { and, eq } from 'drizzle-orm';
import type { Operation } from '../../kernel/context/context.ts';
import { invalid } from '../../kernel/contract/errors.ts';
import { sortedList } from '../../kernel/database/sorted-list.ts';
import type { jobRoutes } from './contract.ts';
import { showJob, showJobs } from './row.ts';
import { jobs } from './schema.ts';

/** Lists jobs, newest first. */
export const listJobs: Operation<typeof jobRoutes.jobs> = async (
  context,
  { kind, status, limit, cursor },
) => {
  const kinds = context.jobHandlers.map((handler) => handler.kind);
  if (kind !== undefined && !kinds.includes(kind))
    throw invalid('kind', `must be one of ${kinds.join(', ')}`);
  return context.read(async (tx) => {
    const list = sortedList('desc', [jobs.createdAt, jobs.id]);
    // Index jobs_created.
    const found = await tx
      .select()
      .from(jobs)
      .where(
        and(
          eq(jobs.tenantId, context.tenantId),
          kind === undefined ? undefined : eq(jobs.kind, kind),
          status && eq(jobs.status, status),
          list.after(cursor),
        ),
      )
      .orderBy(...list.orderBy)
      .limit(limit + 1);
    const { page, next_cursor } = list.toPage(found, limit, (row) => ({ at: row.createdAt, id: row.id }));
    return { jobs: await showJobs(tx, context, page), next_cursor };
  });
};

/** Reads one job. */
export const getJob: Operation<typeof jobRoutes.job> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.tenantId, context.tenantId), eq(jobs.id, id)));
    return { job: await showJob(tx, context, row) };
  });
