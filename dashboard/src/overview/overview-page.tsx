import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Code, Group, Skeleton, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { isOverdue, useAgenda } from '../agenda/agenda-data.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { PanelSkeleton } from '../design/panel-skeleton.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { DistressBanner } from '../distress/distress-banner.tsx';
import { waitingIn } from '../guardian/entry.ts';
import { CompactionsPanel } from './compactions-panel.tsx';
import { Counts } from './counts.tsx';
import { DuePanel } from './due-panel.tsx';
import { Greeting, useIdentity } from './greeting.tsx';
import { LearntPanel } from './learnt-panel.tsx';
import { hidesSome, type OverviewData } from './overview-data.ts';
import classes from './overview-page.module.css';
import { PlanPanel } from './plan-panel.tsx';
import { StabilityPanel } from './stability-panel.tsx';
import { useDriftLimit, useVerdictPending, VerdictLine } from './verdict-line.tsx';
import { VisibilityPanel } from './visibility-panel.tsx';
import { WaitingPanel } from './waiting-panel.tsx';
import { WorkingPanel } from './working-panel.tsx';

/** Shows who the agent is, what it remembers and what waits for the human. */
export function OverviewPage() {
  const dashboard = useAnswer('overview', 'GET /dashboard', {}, { refetchInterval: 60_000 });
  // What stands at the top would push the rest down as it comes.
  const isBeginning = [useAgenda().dates.isPending, useIdentity().isPending, useVerdictPending()].some(
    Boolean,
  );
  return (
    <QueryResult of={dashboard} loading={<OverviewSkeleton />}>
      {(data) => (isBeginning ? <OverviewSkeleton /> : <OverviewOf data={data} />)}
    </QueryResult>
  );
}

function OverviewOf({ data }: { data: OverviewData }) {
  const { dates, work } = useAgenda();
  const driftLimit = useDriftLimit();
  const total = Object.values(data.counts).reduce((sum, count) => sum + count, 0);
  const waiting = waitingIn(data);
  const waits = waiting.pending.length + waiting.unconfirmed.length > 0;
  const isNew = total === 0 && !waits && !hidesSome(data.visibility);
  return (
    <div className={classes.page} data-in-order="always">
      <Greeting data={data} total={total} />
      {!isNew && (
        <VerdictLine
          overview={data}
          driftLimit={driftLimit}
          overdue={dates.data?.items.filter(isOverdue).length ?? 0}
        />
      )}
      {data.distress && <DistressBanner signal={data.distress} />}
      {waits && <WaitingPanel {...waiting} driftLimit={driftLimit} />}
      {isNew ? (
        <FirstSteps />
      ) : (
        <>
          <div className={classes.columns} data-in-order="narrow">
            <LearntPanel />
            <div className={classes.stack} data-in-order="always">
              <DuePanel due={dates.data?.items} work={work.data?.items} />
              <WorkingPanel memories={data.working} />
            </div>
          </div>
          <Counts counts={data.counts} />
          <div className={classes.columns} data-in-order="narrow">
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
      <Skeleton height={52} radius="lg" />
      <div className={classes.columns}>
        <PanelSkeleton lines={6} />
        <PanelSkeleton lines={5} />
      </div>
      <PanelSkeleton lines={2} />
    </div>
  );
}

/** Tells a human whose agent has no memories yet how to connect it. */
function FirstSteps() {
  return (
    <Panel>
      <Empty icon={IconPlugConnected} title={t`Connect your agent`}>
        <Text size="sm" mb="sm">
          <Trans>
            As soon as it writes its first memory, you see it here. For Claude Code, Codex, Gemini CLI or
            Cursor, on the agent’s machine:
          </Trans>
        </Text>
        <Code block>npx svc-memory hooks install claude-code</Code>
        <Text size="sm" mt="sm">
          <Trans>
            Any MCP client takes <Code>{`${window.location.origin}/mcp`}</Code> with the agent’s API key.
          </Trans>
        </Text>
      </Empty>
    </Panel>
  );
}
