import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { cancelJob } from './cancel.ts';
import { nextJob } from './claim.ts';
import { jobRoutes } from './contract.ts';
import { createJobTask } from './job-task.ts';
import { getJob, listJobs } from './list.ts';
import { forgetOldJobs } from './retention.ts';
import { jobs as jobsTable } from './schema.ts';

const SECOND = 1_000;
const HOUR = 3_600_000;

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
    { name: 'jobs.work', everyMs: SECOND, overlapping: true, run: createJobTask(), nextDue: nextJob },
    { name: 'jobs.forget-old', everyMs: HOUR, deletesByAge: true, run: untilDone(forgetOldJobs) },
  ],
});
