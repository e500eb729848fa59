import { plural, t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { IconBulb } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { BlockLink } from '../design/block-link.tsx';
import { Empty } from '../design/empty.tsx';
import { formatNumber } from '../design/format.ts';
import { dayAfter, localDayOf, startOfLocalDay } from '../design/local-day.ts';
import { MemoryText } from '../design/memory-text.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { Stale } from '../design/stale.tsx';
import { TextDiff } from '../design/text-diff.tsx';
import { memoryPath } from '../navigation/paths.ts';
import classes from './learnt-panel.module.css';

type Learnt = AnswerOf<'GET /memories/learnt'>;

const SHOWN = 5;
const PERIODS = [
  { value: '1', label: t`Today` },
  { value: '7', label: t`7 days` },
  { value: '30', label: t`30 days` },
];

/** Shows what the agent learnt today: new facts, changed ones, those whose place another took, and digests. */
export function LearntPanel() {
  const [days, setDays] = useState('1');
  const since = sinceDays(Number(days));
  const learnt = useAnswer(
    'memories',
    'GET /memories/learnt',
    { since, limit: SHOWN },
    { keepPrevious: true },
  );
  return (
    <Panel
      title={t`Learnt`}
      hint={learnt.data ? summaryOf(learnt.data) : t`What it knows now and did not know before`}
      action={
        <SegmentedControl size="xs" aria-label={t`Period`} data={PERIODS} value={days} onChange={setDays} />
      }
      flush
    >
      <QueryResult of={learnt} loading={<Loading />}>
        {(data) => (
          <Stale of={learnt}>
            <Lists learnt={data} isToday={days === '1'} />
          </Stale>
        )}
      </QueryResult>
    </Panel>
  );
}

function Lists({ learnt, isToday }: { learnt: Learnt; isToday: boolean }) {
  const { facts, changed, superseded, digests, counts } = learnt;
  if (Object.values(counts).every((count) => count === 0)) {
    return (
      <Empty icon={IconBulb} title={isToday ? t`Nothing new today` : t`Nothing new`}>
        <Trans>
          Facts appear here as your agent learns them, changes them, or finds that they no longer hold.
        </Trans>
      </Empty>
    );
  }
  return (
    <div className={classes.lists}>
      <Kind title={t`New`} count={counts.facts}>
        {facts.map(({ id, content }) => (
          <Line key={id} id={id}>
            <MemoryText text={content} lines={2} size="small" />
          </Line>
        ))}
      </Kind>
      <Kind title={t`Changed`} count={counts.changed}>
        {changed.map(({ memory, before }) => (
          <Line key={memory.id} id={memory.id}>
            <TextDiff before={before} after={memory.content} lines={3} />
          </Line>
        ))}
      </Kind>
      <Kind title={t`No longer holds`} count={counts.superseded}>
        {superseded.map(({ memory, by }) => (
          <Line key={memory.id} id={by.id}>
            <del className={classes.former}>
              <MemoryText text={memory.content} lines={1} size="small" />
            </del>
            <MemoryText text={by.content} lines={2} size="small" />
          </Line>
        ))}
      </Kind>
      <Kind title={t`Digests of old episodes`} count={counts.digests}>
        {digests.map(({ id, content }) => (
          <Line key={id} id={id}>
            <MemoryText text={content} lines={2} size="small" />
          </Line>
        ))}
      </Kind>
    </div>
  );
}

function Kind({ title, count, children }: { title: string; count: number; children: ReactNode }) {
  if (count === 0) return null;
  return (
    <section>
      <h3 className={classes.kind}>
        {title} <span className={classes.count}>{formatNumber(count)}</span>
      </h3>
      <ul>{children}</ul>
    </section>
  );
}

function Line({ id, children }: { id: string; children: ReactNode }) {
  return (
    <li>
      <BlockLink href={memoryPath(id)} className={classes.line}>
        {children}
      </BlockLink>
    </li>
  );
}

function summaryOf({ counts, stored }: Learnt): string {
  const parts = [
    ...said(stored.episodic, plural(stored.episodic, { one: '# episode', other: '# episodes' })),
    ...said(counts.facts, t`${formatNumber(counts.facts)} new`),
    ...said(counts.changed, t`${formatNumber(counts.changed)} changed`),
    ...said(counts.superseded, t`${formatNumber(counts.superseded)} no longer holding`),
    ...said(counts.digests, plural(counts.digests, { one: '# digest', other: '# digests' })),
  ];
  return parts.join(', ') || t`Nothing in this time`;
}

const said = (count: number, words: string) => (count > 0 ? [words] : []);

/** Returns the beginning of today, or of so many days before tomorrow, in the time zone of the browser. */
function sinceDays(days: number): string {
  const today = localDayOf(new Date(serviceNow()));
  return startOfLocalDay(dayAfter(today, 1 - days));
}

function Loading() {
  return (
    <Stack gap="md" px="lg" py="md" aria-busy="true">
      {[80, 60, 90, 70].map((width) => (
        <Skeleton key={width} height={16} width={`${width}%`} />
      ))}
    </Stack>
  );
}
