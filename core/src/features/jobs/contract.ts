import { z } from 'zod';
import * as field from '../../kernel/contract/fields.ts';
import { route } from '../../kernel/contract/route.ts';

/** Each feature names the kinds of jobs that it does. */
const kind = z.string().meta({ description: 'Such as `import`, `reflect` or `reembed`.' });

const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

const jobError = z.object({
  /** Which one: a file name, a line, a position. Never a content. */
  item: z.string(),
  code: z.string(),
  message: z.string(),
});
/** What went wrong with one item of a job; the others went on. */
export type JobError = z.output<typeof jobError>;

/** Long work that goes on after the answer, unless what it was asked with is revoked: then it fails with `FORBIDDEN`. */
const job = z.object({
  id: z.uuid(),
  kind,
  status: z.enum(JOB_STATUSES),
  /** Items done of all; `total` is null while it is unknown. */
  progress: z.object({ done: z.int(), total: z.int().nullable() }),
  /** Numbers and ids by name; null until there is something to tell. */
  result: z.record(z.string(), z.unknown()).nullable(),
  /** The first 100 items that went wrong. */
  errors: z.array(jobError),
  /** How many items went wrong. */
  errors_count: z.int(),
  created_at: field.instant,
  started_at: field.instant.nullable(),
  finished_at: field.instant.nullable(),
  /** Why it failed, or why its last step did, which is tried again. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type Job = z.output<typeof job>;

/** The answer to every call that starts a job. */
export const startedJob = z.object({ outcome: z.literal('queued'), job });

const byId = z.strictObject({ id: field.id });

export const jobRoutes = {
  /** Jobs, newest first. */
  jobs: route({
    method: 'GET',
    path: '/jobs',
    access: 'read',
    metering: 'free',
    users: 'own',
    summary: 'List imports, reflections and other jobs',
    request: z.strictObject({
      user_id: field.userId.optional(),
      kind: kind.optional(),
      status: z.enum(JOB_STATUSES).optional(),
      limit: field.limit.default(50),
      cursor: field.cursor.optional(),
    }),
    response: z.object({ jobs: z.array(job), next_cursor: z.string().nullable() }),
  }),
  /** One job with its progress. */
  job: route({
    method: 'GET',
    path: '/jobs/{id}',
    access: 'read',
    metering: 'free',
    users: 'own',
    summary: 'Read the progress and the result of a job',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ job }),
  }),
  /** Ends a job before its next step; what it has written stays. Repeating it changes nothing more. */
  cancelJob: route({
    method: 'POST',
    path: '/jobs/{id}/cancel',
    access: 'write',
    metering: 'free',
    users: 'own',
    summary: 'Cancel a job; what it has written stays',
    request: byId.extend({ user_id: field.userId.optional() }),
    response: z.object({ job }),
    errors: ['CONFLICT'],
  }),
};
