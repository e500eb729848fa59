import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useAgent } from '../api/agent.tsx';
import { useAction, useAnswer } from '../api/hooks.ts';
import { useLiveStatus } from '../api/live.tsx';
import { formatNumber } from '../design/format.ts';
import { Panel } from '../design/panel.tsx';
import { PATHS } from '../navigation/paths.ts';
import { JobErrors, outcomeOf } from './job-outcome.tsx';
import type { ImportJob } from './source.ts';

/** How often the job is polled. A live stream reports progress itself, so polling only covers lost events. */
const LOOK_MS = { live: 10_000, connecting: 1_000, offline: 1_000 };
const TITLES: Readonly<Record<ImportJob['status'], string>> = {
  queued: t`The import starts`,
  running: t`Importing`,
  done: t`Imported`,
  failed: t`The import did not succeed`,
  cancelled: t`The import was stopped`,
};

/** Shows the progress of an import. The import continues while the page is closed. */
export function JobProgress({ started, again }: { started: ImportJob; again: () => void }) {
  const { agent } = useAgent();
  const live = useLiveStatus();
  const client = useQueryClient();
  const job = useAnswer(
    'jobs',
    'GET /jobs/{id}',
    { id: started.id },
    {
      refetchInterval: ({ state }) => (isOver(state.data?.job ?? started) ? false : LOOK_MS[live]),
      staleTime: 0,
    },
  );
  const cancel = useAction('POST /jobs/{id}/cancel', { touches: ['jobs', 'memories', 'overview'] });
  const now = job.data?.job ?? started;
  const over = isOver(now);
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: [agent.id] });
  }, [over, client, agent.id]);
  const { done, total } = now.progress;
  return (
    <Panel title={TITLES[now.status]}>
      <Stack gap="md">
        <Progress
          value={over ? 100 : total ? (100 * done) / total : 100}
          animated={!over}
          color={now.status === 'failed' ? 'red' : over ? 'teal' : 'iris'}
          size="lg"
          aria-label={t`Progress of the import`}
        />
        <Text size="sm" role="status">
          {over
            ? outcomeOf(now)
            : t`${formatNumber(done)} of ${total === null ? t`many` : formatNumber(total)}`}
        </Text>
        <JobErrors job={now} />
        <Group gap="sm">
          {over ? (
            <>
              <Button component={Link} href={PATHS.memories}>
                <Trans>See the memories</Trans>
              </Button>
              <Button variant="default" onClick={again}>
                <Trans>Import more</Trans>
              </Button>
            </>
          ) : (
            <Button
              variant="default"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ id: now.id })}
            >
              <Trans>Stop (keeps what was imported)</Trans>
            </Button>
          )}
        </Group>
      </Stack>
    </Panel>
  );
}

function isOver({ status }: ImportJob): boolean {
  return status === 'done' || status === 'failed' || status === 'cancelled';
}
