import { defineFeature } from '../../kernel/feature.ts';
import { untilDone } from '../../kernel/queue/task.ts';
import { cancelJob } from './cancel.ts';
import { jobRoutes } from './contract.ts';
import { getJob, listJobs } from './list.ts';
import { forgetOldJobs } from './retention.ts';
import { jobs as jobsTable } from './schema.ts';

const HOUR = 3_600_000;

export const jobsFeature = defineFeature({
  name: 'jobs',
  routes: jobRoutes,
  operations: {
    jobs: listJobs,
    job: getJob,
    cancelJob,
  },
  tables: [jobsTable],
  tasks: () => [{ name: 'jobs.forget-old', everyMs: HOUR, run: untilDone(forgetOldJobs) }],
});
