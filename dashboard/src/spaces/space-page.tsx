import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Anchor } from '@mantine/core';
import { IconArrowLeft, IconUsersGroup } from '@tabler/icons-react';
import { Link, useParams } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { ApiError } from '../api/error.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { PageLayout } from '../design/page-layout.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { DecisionHistory } from '../guardian/decision-history.tsx';
import { Undecided } from '../guardian/undecided.tsx';
import { PATHS } from '../navigation/paths.ts';
import { Members } from './members.tsx';
import { SpaceMemories } from './space-memories.tsx';
import { SpaceSettings } from './space-settings.tsx';
import classes from './spaces.module.css';

/** Other agents write there, too, whose events do not reach this page. */
const REFRESH_MS = 15_000;

/** Shows a space: what waits for a decision, what is in it, who may do what there. */
export default function SpacePage() {
  const { space: id } = useParams<{ space: string }>();
  const found = useAnswer(
    'spaces',
    'GET /spaces/{space_id}',
    { space_id: id },
    { refetchInterval: REFRESH_MS },
  );
  const back = (
    <Anchor component={Link} href={PATHS.spaces} size="sm" className={classes.back}>
      <Trans>
        <IconArrowLeft size={15} aria-hidden="true" /> All spaces
      </Trans>
    </Anchor>
  );
  if (found.error instanceof ApiError && found.error.status === 404) {
    return (
      <PageLayout title={t`Space`} lead={back}>
        <Panel>
          <Empty icon={IconUsersGroup} title={t`There is no such space`}>
            <Trans>It was deleted, or it belongs to somebody else.</Trans>
          </Empty>
        </Panel>
      </PageLayout>
    );
  }
  return (
    <PageLayout title={found.data?.space.name ?? t`Space`} lead={back}>
      <QueryResult of={found} loading={<Loading />}>
        {(space) => <SpaceOf {...space} />}
      </QueryResult>
    </PageLayout>
  );
}

function SpaceOf({ space, members, guardian }: AnswerOf<'GET /spaces/{space_id}'>) {
  return (
    <>
      <Undecided settings={guardian} space={space} nothing={null} />
      <div className={classes.columns} data-in-order="narrow">
        <SpaceMemories space={space} />
        <div className={classes.side}>
          <Members space={space} members={members} />
          <SpaceSettings key={space.id} space={space} />
        </div>
      </div>
      <DecisionHistory space={space.id} />
    </>
  );
}

function Loading() {
  return (
    <div className={classes.columns}>
      <PanelSkeleton lines={6} />
      <div className={classes.side}>
        <PanelSkeleton lines={4} />
        <PanelSkeleton lines={3} />
      </div>
    </div>
  );
}
