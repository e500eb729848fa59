import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor, Title } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { categoryName } from '../design/names.ts';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { PATHS, spacePath } from '../navigation/paths.ts';
import { DecisionHistory } from './decision-history.tsx';
import type { GuardedSpace, ReviewSettings } from './entry.ts';
import { Undecided, UndecidedSkeleton } from './undecided.tsx';

/** Shows the changes that wait, the memories that are not confirmed, and the decided changes. */
export default function GuardianPage() {
  const settings = useAnswer('guardian', 'GET /guardian/settings', {});
  const overview = useAnswer('overview', 'GET /dashboard', {});
  const shared = overview.data?.spaces.filter(isWaiting) ?? [];
  return (
    <PageLayout
      title={t`Guardian`}
      lead={t`Changes to who your agent is do not happen at once. They wait here, so that nobody can talk it into being someone else.`}
    >
      <QueryResult of={settings} loading={<UndecidedSkeleton />}>
        {({ settings }) => (
          <Undecided settings={settings} nothing={shared.length === 0 && <Nothing settings={settings} />} />
        )}
      </QueryResult>
      {shared.map((space) => (
        <InSpace key={space.id} space={space} />
      ))}
      <DecisionHistory />
    </PageLayout>
  );
}

const isWaiting = ({ guardian, unconfirmed }: AnswerOf<'GET /dashboard'>['spaces'][number]) =>
  guardian.length + unconfirmed.length > 0;

/** Shows what waits in a space that the agent reads. */
function InSpace({ space }: { space: GuardedSpace }) {
  const found = useAnswer('spaces', 'GET /spaces/{space_id}', { space_id: space.id });
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        <Trans>
          In the space{' '}
          <Anchor component={Link} href={spacePath(space.id)} inherit>
            <PlainText text={space.name} />
          </Anchor>
        </Trans>
      </Title>
      <QueryResult of={found} loading={<UndecidedSkeleton />}>
        {({ guardian }) => <Undecided settings={guardian} space={space} nothing={null} />}
      </QueryResult>
    </section>
  );
}

function Nothing({ settings }: { settings: ReviewSettings }) {
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

function hours(count: number): string {
  const days = count / 24;
  if (Number.isInteger(days) && days > 1) return plural(days, { one: '# day', other: '# days' });
  return plural(count, { one: 'an hour', other: '# hours' });
}
