import { and, desc, eq } from 'drizzle-orm';
import { beyond, toPage } from '../database/cursor.ts';
import type { Operation } from '../engine/context.ts';
import { showJob, showJobs } from './row.ts';
import { jobs } from './schema.ts';

/** Jobs, newest first. Design 5, GET /jobs. */
export const listJobs: Operation<'jobs'> = (context, { kind, status, limit, cursor }) =>
  context.read(async (tx) => {
    const { createdAt, id } = jobs;
    // Index jobs_created.
    const found = await tx
      .select()
      .from(jobs)
      .where(
        and(
          eq(jobs.tenantId, context.tenantId),
          kind && eq(jobs.kind, kind),
          status && eq(jobs.status, status),
          beyond(cursor, createdAt, id),
        ),
      )
      .orderBy(desc(createdAt), desc(id))
      .limit(limit + 1);
    const { page, next_cursor } = toPage(found, limit, (row) => ({ at: row.createdAt, id: row.id }));
    return { jobs: await showJobs(tx, context, page), next_cursor };
  });

/** Reads one job. Design 5, GET /jobs/{id}. */
export const getJob: Operation<'job'> = (context, { id }) =>
  context.read(async (tx) => {
    const [row] = await tx
      .select()
      .from(jobs)
      .where(and(eq(jobs.tenantId, context.tenantId), eq(jobs.id, id)));
    return { job: await showJob(tx, context, row) };
  });
