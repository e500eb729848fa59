import { Skeleton, Stack } from '@mantine/core';
import { IconArrowBarToDown, IconBolt, IconPower, IconRefresh } from '@tabler/icons-react';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import classes from './compactions-panel.module.css';

type Moment = AnswerOf<'GET /compactions'>['moments'][number];

const KINDS = {
  boot: { label: 'Booted', icon: IconPower },
  compaction: { label: 'Context compacted', icon: IconArrowBarToDown },
  flush: { label: 'Memories flushed', icon: IconBolt },
  recovery: { label: 'Recovered', icon: IconRefresh },
} as const satisfies Record<Moment['kind'], unknown>;

/** Lists the last boots, compactions and recoveries. */
export function CompactionsPanel() {
  const compactions = useAnswer('stability', 'GET /compactions', { limit: 8 });
  const missing = compactions.data?.missing_recoveries ?? 0;
  return (
    <Panel
      title="Compactions"
      hint={
        missing > 0
          ? `${missing} without a recovery over the last 30 days`
          : 'When its context was cut, and it came back'
      }
    >
      <QueryResult of={compactions} loading={<Loading />}>
        {({ moments }) =>
          moments.length === 0 ? (
            <Empty icon={IconRefresh} title="No boots or compactions yet">
              They show up as soon as the agent boots from its memory.
            </Empty>
          ) : (
            <ol className={classes.moments}>
              {moments.map((moment) => (
                <MomentLine key={moment.id} moment={moment} />
              ))}
            </ol>
          )
        }
      </QueryResult>
    </Panel>
  );
}

function MomentLine({ moment }: { moment: Moment }) {
  const { label, icon: Icon } = KINDS[moment.kind];
  return (
    <li className={classes.moment} data-kind={moment.kind}>
      <Icon size={17} stroke={1.7} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>
        {label}
        <span className={classes.detail}>{detailOf(moment)}</span>
      </span>
      <span className={classes.when}>
        <When at={moment.at} />
      </span>
    </li>
  );
}

function detailOf(moment: Moment) {
  if (moment.recovery === 'missing') return <span className={classes.missing}>no recovery followed</span>;
  if (moment.outcome !== 'ok')
    return moment.detail === null ? moment.outcome : <PlainText text={moment.detail} />;
  if (moment.estimated_tokens !== null) return `${moment.estimated_tokens.toLocaleString('en')} tokens`;
  if (moment.stored_turns) return `${moment.stored_turns} turns kept`;
  return moment.framework === null ? '' : <PlainText text={moment.framework} />;
}

function Loading() {
  return (
    <Stack gap="sm">
      {[1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} height={18} radius="sm" />
      ))}
    </Stack>
  );
}
