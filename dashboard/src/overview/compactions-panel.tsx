import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Skeleton, Stack } from '@mantine/core';
import { IconArrowBarToDown, IconBolt, IconPower, IconRefresh } from '@tabler/icons-react';
import { Link } from 'wouter';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { formatNumber } from '../design/format.ts';
import { PlainText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { When } from '../design/when.tsx';
import { PATHS } from '../navigation/paths.ts';
import { type CompactionRow, type LoggedMoment, rowsOf } from './compaction-rows.ts';
import classes from './compactions-panel.module.css';

const KINDS = {
  boot: { label: t`Booted`, icon: IconPower },
  compaction: { label: t`Compacted`, icon: IconArrowBarToDown },
  flush: { label: t`Memories flushed`, icon: IconBolt },
  recovery: { label: t`Recovered`, icon: IconRefresh },
} as const satisfies Record<LoggedMoment['kind'], unknown>;

const READ = 24;
const SHOWN = 8;

/** Lists the last boots and compactions, each compaction with its recovery in one row. */
export function CompactionsPanel() {
  const compactions = useAnswer('stability', 'GET /compactions', { limit: READ });
  const missing = compactions.data?.missing_recoveries ?? 0;
  return (
    <Panel
      title={t`Compactions`}
      hint={
        missing > 0
          ? t`${missing} without a recovery over the last 30 days`
          : t`When its context was cut, and it came back`
      }
    >
      <QueryResult of={compactions} loading={<Loading />}>
        {({ moments }) =>
          moments.length === 0 ? (
            <Empty icon={IconRefresh} title={t`No boots or compactions yet`}>
              <Trans>They show up as soon as the agent boots from its memory.</Trans>
            </Empty>
          ) : (
            <ol className={classes.moments}>
              {rowsOf(moments)
                .slice(0, SHOWN)
                .map((row) => (
                  <Row key={row.first.id} row={row} />
                ))}
            </ol>
          )
        }
      </QueryResult>
    </Panel>
  );
}

function Row({ row: { first, recovery } }: { row: CompactionRow }) {
  const { label, icon: Icon } = KINDS[first.kind];
  const session = (recovery ?? first).session_id;
  return (
    <li className={classes.moment} data-kind={first.kind}>
      <Icon size={17} stroke={1.7} className={classes.icon} aria-hidden="true" />
      <span className={classes.words}>
        {session === null ? (
          label
        ) : (
          <Link href={`${PATHS.memories}?session=${encodeURIComponent(session)}`} className={classes.session}>
            {label}
          </Link>
        )}
        <span className={classes.detail}>
          {detailOf(first)}
          {recovery && <Trans> → back {detailOf(recovery)}</Trans>}
        </span>
      </span>
      <span className={classes.when}>
        <When at={(recovery ?? first).at} />
      </span>
    </li>
  );
}

function detailOf(moment: LoggedMoment) {
  if (moment.recovery === 'missing')
    return (
      <span className={classes.missing}>
        <Trans>no recovery followed</Trans>
      </span>
    );
  if (moment.outcome !== 'ok')
    return moment.detail === null ? moment.outcome : <PlainText text={moment.detail} />;
  if (moment.kind === 'compaction' && moment.stored_turns)
    return t`${formatNumber(moment.stored_turns)} turns kept`;
  if (moment.kind !== 'compaction' && moment.estimated_tokens !== null)
    return t`${formatNumber(moment.estimated_tokens)} tokens`;
  return moment.framework === null ? '' : <PlainText text={moment.framework} />;
}

function Loading() {
  return (
    <Stack gap="sm">
      {[72, 58, 80, 64, 75].map((width) => (
        <Skeleton key={width} height={18} width={`${width}%`} radius="sm" />
      ))}
    </Stack>
  );
}
