import { t } from '@lingui/core/macro';
import { Badge, Skeleton } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { outcomeOf } from './job-outcome.tsx';
import type { ImportJob } from './source.ts';
import classes from './transfer.module.css';

const SHOWN = 10;
const LABELS: Readonly<Record<ImportJob['status'], { label: string; color: string }>> = {
  queued: { label: t`Starting`, color: 'gray' },
  running: { label: t`Running`, color: 'iris' },
  done: { label: t`Done`, color: 'teal' },
  failed: { label: t`Failed`, color: 'red' },
  cancelled: { label: t`Stopped`, color: 'gray' },
};

/** Lists the last imports. Shows nothing if there are none. */
export function Imports() {
  const jobs = useAnswer('jobs', 'GET /jobs', { kind: 'import', limit: SHOWN });
  return (
    <QueryResult of={jobs} loading={<Skeleton height={60} radius="lg" />}>
      {({ jobs }) =>
        jobs.length > 0 && (
          <Panel title={t`Imports before`} flush>
            <ul>
              {jobs.map((job) => (
                <li key={job.id} className={classes.job}>
                  <Badge variant="dot" tt="none" color={LABELS[job.status].color}>
                    {LABELS[job.status].label}
                  </Badge>
                  <span>{outcomeOf(job)}</span>
                  <span className={classes.when}>
                    <When at={job.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          </Panel>
        )
      }
    </QueryResult>
  );
}
