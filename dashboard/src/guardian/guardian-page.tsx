import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { categoryName } from '../design/names.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { PATHS } from '../navigation/paths.ts';
import { DecisionHistory } from './decision-history.tsx';
import { byGravity, type ReviewEntry, type ReviewSettings } from './entry.ts';
import { PendingEntry } from './pending-entry.tsx';
import { Unconfirmed } from './unconfirmed.tsx';

const MOST = 100;

/** Shows the changes that wait, the memories that are not confirmed, and the decided changes. */
export default function GuardianPage() {
  const waiting = useAnswer('guardian', 'GET /guardian', { status: 'waiting', limit: MOST });
  const cooling = useAnswer('guardian', 'GET /guardian', { status: 'cooling', limit: MOST });
  const added = useAnswer('guardian', 'GET /guardian', { status: 'added', limit: MOST });
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  return (
    <PageLayout
      title={t`Guardian`}
      lead={t`Changes to who your agent is do not happen at once. They wait here, so that nobody can talk it into being someone else.`}
    >
      <QueryResult of={settings} loading={<Loading />}>
        {({ settings }) => (
          <QueryResult of={waiting} loading={<Loading />}>
            {(waiting) => (
              <QueryResult of={cooling} loading={<Loading />}>
                {(cooling) => (
                  <QueryResult of={added} loading={<Loading />}>
                    {(added) => (
                      <Undecided
                        pending={[...waiting.entries, ...cooling.entries].sort(byGravity)}
                        added={added.entries}
                        hasMore={[waiting, cooling, added].some(({ next_cursor }) => next_cursor !== null)}
                        settings={settings}
                      />
                    )}
                  </QueryResult>
                )}
              </QueryResult>
            )}
          </QueryResult>
        )}
      </QueryResult>
      <DecisionHistory />
    </PageLayout>
  );
}

interface UndecidedProps {
  readonly pending: readonly ReviewEntry[];
  readonly added: readonly ReviewEntry[];
  /** True if the service has more entries than the page shows. */
  readonly hasMore: boolean;
  readonly settings: ReviewSettings;
}

function Undecided({ pending, added, hasMore, settings }: UndecidedProps) {
  useEffect(() => {
    // The browser looked for the entry before it was there.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  if (pending.length === 0 && added.length === 0) {
    const protectedNames = settings.categories.map(categoryName).join(', ');
    return (
      <Panel>
        <Empty icon={IconShieldCheck} title={t`Nothing waits for you`}>
          {t`When your agent, or somebody in its name, asks to change what is protected (${protectedNames}), it waits here.`}{' '}
          {settings.unattended === 'nothing'
            ? t`Nothing of it happens without you.`
            : t`Only what cannot change the meaning happens by itself, after ${hours(settings.cooling_hours)}.`}{' '}
          <Anchor component={Link} href={`${PATHS.settings}?tab=guardian`} size="sm" underline="always">
            <Trans>What is protected</Trans>
          </Anchor>
        </Empty>
      </Panel>
    );
  }
  return (
    <Stack component="section" gap="lg" aria-label={t`Waiting for a decision`}>
      {pending.map((entry) => (
        <PendingEntry key={entry.id} entry={entry} settings={settings} />
      ))}
      {added.length > 0 && <Unconfirmed entries={added} />}
      {hasMore && (
        <Text size="sm" c="dimmed">
          <Trans>There are more. You see the others once you have decided some of these.</Trans>
        </Text>
      )}
    </Stack>
  );
}

function hours(count: number): string {
  const days = count / 24;
  if (Number.isInteger(days) && days > 1) return plural(days, { one: '# day', other: '# days' });
  return plural(count, { one: 'an hour', other: '# hours' });
}

function Loading() {
  return <Skeleton height={280} radius="lg" />;
}
