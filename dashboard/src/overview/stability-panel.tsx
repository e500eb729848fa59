import { Skeleton, Tooltip } from '@mantine/core';
import { useAnswer } from '../api/hooks.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import type { OverviewData } from './overview-data.ts';
import { StabilityChart } from './stability-chart.tsx';
import classes from './stability-panel.module.css';

const CHART_HEIGHT = 190;

/** Shows how stable the agent was over the last 30 days. */
export function StabilityPanel({ stability }: { stability: OverviewData['stability'] }) {
  const history = useAnswer('stability', 'GET /stability/history', {});
  const { memories, changes, boot_coverage: coverage, drift_check: check } = stability;
  const similarities = memories.flatMap(({ similarity }) => (similarity === null ? [] : [similarity]));
  const self = similarities.length === 0 ? null : similarities.reduce((a, b) => a + b) / similarities.length;
  return (
    <Panel
      title="Stability"
      hint="How far it has moved from who it was, and how well it comes through compactions"
    >
      <dl className={classes.figures}>
        <Figure
          name="Like itself"
          value={self === null ? '–' : percent(self)}
          hint="Mean similarity of its protected memories to what they said at first, or when you last approved a change"
        />
        <Figure
          name="Core in boot"
          value={coverage === null ? '–' : percent(coverage)}
          hint="Mean share of the core memories that fitted into the injections of the last 30 days"
        />
        <Figure
          name="Changes"
          value={`${changes.applied} of ${changes.asked}`}
          hint={`Changes to protected memories over 30 days: ${changes.asked} asked for, ${changes.applied} applied, ${changes.rejected} rejected, ${changes.withdrawn} withdrawn`}
        />
        <Figure
          name="Drift check"
          value={check === null ? 'None' : 'Open'}
          hint={
            check === null
              ? 'The agent is not asked whether it is still itself'
              : 'The agent is asked at its next boot whether this is still itself'
          }
        />
      </dl>
      <QueryResult of={history} loading={<Skeleton height={CHART_HEIGHT} radius="md" />}>
        {({ days }) => <StabilityChart days={days} height={CHART_HEIGHT} />}
      </QueryResult>
    </Panel>
  );
}

function Figure({ name, value, hint }: { name: string; value: string; hint: string }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>
        <Tooltip label={hint}>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: its explanation is reached by keyboard */}
          <span tabIndex={0}>{value}</span>
        </Tooltip>
      </dd>
    </div>
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
