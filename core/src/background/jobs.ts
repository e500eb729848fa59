import { createFollowChoice } from '../embedding/reembed/follow-choice.ts';
import { forgetOtherVectors } from '../embedding/reembed/forget-other-vectors.ts';
import type { Dependencies } from '../engine/context.ts';
import { createDeliverJob } from '../events/deliver.ts';
import { forgetOldEvents } from '../events/retention.ts';
import { expireCooling } from '../guardian/expire.ts';
import { forgetUploads } from '../import/forget-uploads.ts';
import { forgetOldJobs } from '../jobs/retention.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { createWorkJob } from '../jobs/work.ts';
import { eraseExpired } from '../memory/erase.ts';
import { indexLargeTenants } from '../recall/index-large-tenants.ts';
import { scheduleReflections } from '../reflection/schedule.ts';
import { embedMissing } from './embed-missing.ts';
import { forgetIdempotencyKeys } from './forget-idempotency-keys.ts';
import type { Job } from './job.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Everything the service does by itself; a new job is one line here. What only depends on the time, as the end of a
 * trial does, needs no job: it is read off the clock where it counts.
 *
 * @param runners Who does the jobs that tenants ask for.
 */
export function createJobs(runners: readonly JobRunner[]): Job[] {
  return [
    { name: 'events.deliver', everyMs: SECOND, overlapping: true, run: createDeliverJob() },
    { name: 'events.forget-old', everyMs: HOUR, run: untilNothing(forgetOldEvents) },
    { name: 'embedding.catch-up', everyMs: 15 * SECOND, run: untilNothing(embedMissing) },
    { name: 'embedding.follow-choice', everyMs: 5 * MINUTE, overlapping: true, run: createFollowChoice() },
    { name: 'embedding.forget-other', everyMs: HOUR, run: untilNothing(forgetOtherVectors) },
    { name: 'guardian.expire-cooling', everyMs: MINUTE, run: expireCooling },
    { name: 'memory.erase-expired', everyMs: HOUR, run: eraseExpired },
    { name: 'recall.index-large', everyMs: MINUTE, run: indexLargeTenants },
    { name: 'jobs.work', everyMs: SECOND, overlapping: true, run: createWorkJob(runners) },
    { name: 'import.forget-uploads', everyMs: 10 * MINUTE, run: forgetUploads },
    { name: 'jobs.forget-old', everyMs: HOUR, run: untilNothing(forgetOldJobs) },
    { name: 'reflection.schedule', everyMs: HOUR, run: scheduleReflections },
    { name: 'idempotency.forget-old', everyMs: HOUR, run: untilNothing(forgetIdempotencyKeys) },
  ];
}

/** Repeats a step that works in batches until it finds nothing to do. */
function untilNothing(step: Job['run']): Job['run'] {
  return async (dependencies: Dependencies, signal: AbortSignal) => {
    let all = 0;
    for (;;) {
      const done = await step(dependencies, signal);
      all += done;
      if (done === 0 || signal.aborted) return all;
    }
  };
}
