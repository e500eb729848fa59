import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { HOUR_MS, SECOND_MS } from '../../kernel/runtime/durations.ts';
import { nextJob } from './claim.ts';
import { jobRoutes } from './contract.ts';
import { createJobTask } from './job-task.ts';
import { cancelJob, getJob, listJobs } from './operations.ts';
import { forgetOldJobs } from './retention.ts';
import { jobs as jobsTable } from './schema.ts';

export const jobsFeature = defineFeature({
  name: 'jobs',
  routes: jobRoutes,
  operations: {
    jobs: listJobs,
    job: getJob,
    cancelJob,
  },
  events: ['job.progress', 'job.finished'],
  tables: [jobsTable],
  tasks: () => [
    { name: 'jobs.work', everyMs: SECOND_MS, overlapping: true, run: createJobTask(), nextDue: nextJob },
    { name: 'jobs.forget-old', everyMs: HOUR_MS, deletesByAge: true, run: untilDone(forgetOldJobs) },
  ],
});
