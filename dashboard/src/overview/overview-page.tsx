import { Group, Skeleton } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { QueryResult } from '../design/query-result.tsx';
import { DistressBanner } from '../distress/distress-banner.tsx';
import { CompactionsPanel } from './compactions-panel.tsx';
import { Counts } from './counts.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Greeting } from './greeting.tsx';
import { RecentPanel, WorkingPanel } from './memory-panels.tsx';
import { hidesSome, type OverviewData } from './overview-data.ts';
import classes from './overview-page.module.css';
import { PlanPanel } from './plan-panel.tsx';
import { StabilityPanel } from './stability-panel.tsx';
import { VisibilityPanel } from './visibility-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';

/** Shows who the agent is, what it remembers and what waits for the human. */
export function OverviewPage() {
  const dashboard = useAnswer('overview', 'GET /dashboard', {}, { refetchInterval: 60_000 });
  return (
    <QueryResult of={dashboard} loading={<OverviewSkeleton />}>
      {(data) => <OverviewOf data={data} />}
    </QueryResult>
  );
}

function OverviewOf({ data }: { data: OverviewData }) {
  const total = Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  const waits = data.guardian.length + data.unconfirmed.length > 0;
  return (
    <div className={classes.page}>
      {data.distress && <DistressBanner signal={data.distress} />}
      <Greeting data={data} total={total} />
      {total === 0 && !hidesSome(data.visibility) ? (
        <>
          {waits && <WaitingPanel pending={data.guardian} unconfirmed={data.unconfirmed} />}
          <FirstSteps />
        </>
      ) : (
        <>
          <Counts counts={data.counts} />
          {waits && <WaitingPanel pending={data.guardian} unconfirmed={data.unconfirmed} />}
          <div className={classes.columns}>
            <RecentPanel memories={data.recent_episodic} />
            <WorkingPanel memories={data.working} />
          </div>
          <div className={classes.columns}>
            <StabilityPanel stability={data.stability} />
            <CompactionsPanel />
          </div>
          <div className={classes.halves}>
            <VisibilityPanel settings={data.visibility} />
            <PlanPanel tenant={data.tenant} usage={data.usage} />
          </div>
        </>
      )}
    </div>
  );
}

/** Takes the place of the overview while it loads. */
function OverviewSkeleton() {
  return (
    <div className={classes.page} aria-busy="true">
      <Group gap="lg" pb="sm">
        <Skeleton circle height={84} />
        <div>
          <Skeleton height={30} width={180} mb="sm" />
          <Skeleton height={16} width={260} />
        </div>
      </Group>
      <Skeleton height={128} radius="lg" />
      <div className={classes.columns}>
        <Skeleton height={380} radius="lg" />
        <Skeleton height={380} radius="lg" />
      </div>
    </div>
  );
}
