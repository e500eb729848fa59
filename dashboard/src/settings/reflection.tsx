import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Button, Skeleton } from '@mantine/core';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAction, useAnswer } from '../api/hooks.ts';
import { countsInWords } from '../design/names.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Quiet } from '../design/row.tsx';
import { When } from '../design/when.tsx';
import { undoPath } from '../navigation/paths.ts';
import classes from './settings.module.css';

type Job = AnswerOf<'GET /jobs'>['jobs'][number];

const SHOWN = 5;
const WORDS = [
  ['digests', t`digests written`],
  ['merged', t`copies merged`],
  ['superseded', t`contradictions marked`],
] as const;

/** Starts a reflection, and tells what the last ones have changed. */
export function Reflection() {
  const jobs = useAnswer('jobs', 'GET /jobs', { kind: 'reflect', limit: SHOWN });
  const reflect = useAction('POST /reflect', {
    touches: ['jobs', 'memories', 'overview'],
    done: t`It reflects now. What comes of it shows up among the memories.`,
  });
  return (
    <Panel
      title={t`Reflection`}
      hint={t`Old episodes are summed up as what it knows, and copies are merged. It also happens by itself, once a day.`}
      action={
        <Button variant="default" size="xs" loading={reflect.isPending} onClick={() => reflect.mutate({})}>
          <Trans>Reflect now</Trans>
        </Button>
      }
    >
      <QueryResult of={jobs} loading={<Skeleton height={40} radius="sm" />}>
        {({ jobs }) =>
          jobs.length === 0 ? (
            <Quiet>
              <Trans>It has not reflected yet.</Trans>
            </Quiet>
          ) : (
            <ul>
              {jobs.map((job) => (
                <li key={job.id} className={classes.delivery}>
                  <span className={classes.main}>
                    {outcomeOf(job)}{' '}
                    <span className={classes.when}>
                      <When at={job.created_at} />
                    </span>
                  </span>
                  {countsOf(job) !== '' && (
                    <Anchor
                      component={Link}
                      href={undoPath({ kind: 'reflection', credential_id: null, since: job.created_at })}
                      size="sm"
                    >
                      <Trans>Take back…</Trans>
                    </Anchor>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </Panel>
  );
}

const countsOf = ({ result }: Job) => countsInWords(result ?? {}, WORDS);

/** Says in one line what came of a reflection. */
function outcomeOf(job: Job): string {
  if (job.status === 'queued' || job.status === 'running') return t`It reflects now`;
  if (job.status === 'failed') return job.error?.message ?? t`It did not succeed`;
  return countsOf(job) || t`Nothing to sum up or to merge`;
}
