import type { Answer } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Answered } from '../design/answered.tsx';
import { CompactionsPanel } from './compactions-panel.tsx';
import { Counts } from './counts.tsx';
import { DistressBanner } from './distress-banner.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Greeting } from './greeting.tsx';
import classes from './overview.module.css';
import { OverviewSkeleton } from './overview-skeleton.tsx';
import { PlanPanel } from './plan-panel.tsx';
import { RecentPanel } from './recent-panel.tsx';
import { StabilityPanel } from './stability-panel.tsx';
import { VisibilityPanel } from './visibility-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkingPanel } from './working-panel.tsx';

export type Dashboard = Answer<'GET /dashboard'>;

/** Who the agent is, what it remembers and what waits: everything at a glance. */
export function Overview() {
  const dashboard = useAnswer('overview', 'GET /dashboard', {}, { refetchInterval: 60_000 });
  return (
    <Answered of={dashboard} loading={<OverviewSkeleton />}>
      {(data) => <OverviewOf data={data} />}
    </Answered>
  );
}

function OverviewOf({ data }: { data: Dashboard }) {
  const total = Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className={classes.page}>
      {data.distress && <DistressBanner signal={data.distress} />}
      <Greeting data={data} total={total} />
      {total === 0 ? (
        <FirstSteps />
      ) : (
        <>
          <Counts counts={data.counts} />
          {data.guardian.length > 0 && <WaitingPanel entries={data.guardian} />}
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
