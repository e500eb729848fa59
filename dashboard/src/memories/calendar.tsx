import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { Button, Skeleton, Text } from '@mantine/core';
import { IconCalendarOff } from '@tabler/icons-react';
import { useState } from 'react';
import { serviceNow } from '../api/clock.ts';
import { useAnswer } from '../api/hooks.ts';
import { Empty } from '../design/empty.tsx';
import { formatDate, formatNumber } from '../design/format.ts';
import { dayAfter, endOfLocalDay, localDayOf, startOfLocalDay, TIME_ZONE } from '../design/local-day.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './calendar.module.css';
import { MemoryListItem, MemoryListSkeleton } from './memory-list-item.tsx';
import { SearchResultList } from './search-result-list.tsx';
import { spaceOf, useView } from './use-view.ts';
import { WEEKS, Year } from './year.tsx';

const MOST_OF_DAY = 50;

/** Shows how many memories each day of the last year has, and beside it the memories of the chosen day. */
export function Calendar() {
  const { view } = useView();
  const [day, setDay] = useState<string>();
  const today = localDayOf(new Date(serviceNow()));
  const first = dayAfter(today, 1 - WEEKS * 7);
  const calendar = useAnswer(
    'memories',
    'GET /memories/calendar',
    {
      since: startOfLocalDay(first),
      until: endOfLocalDay(today),
      time_zone: TIME_ZONE,
      ...(view.type && { types: [view.type] }),
      ...spaceOf(view),
    },
    { keepPrevious: true },
  );
  return (
    <>
      <Panel title={t`The last year`} hint={t`When the memories are from. Choose a day to see its memories.`}>
        <QueryResult of={calendar} loading={<Skeleton height={190} radius="md" />}>
          {({ days }) => <Year days={days} until={today} chosen={day} choose={setDay} />}
        </QueryResult>
      </Panel>
      {view.query !== '' ? <SearchResultList /> : day !== undefined && <DayList day={day} />}
    </>
  );
}

/** Lists the memories of one day. */
function DayList({ day }: { day: string }) {
  const { view, change } = useView();
  const found = useAnswer('memories', 'POST /memories/query', {
    since: startOfLocalDay(day),
    until: endOfLocalDay(day),
    limit: MOST_OF_DAY,
    ...(view.type && { type: view.type }),
    ...spaceOf(view),
  });
  const more = found.data?.next_cursor != null;
  return (
    <Panel
      title={formatDate(`${day}T12:00:00`)}
      flush
      action={
        <Button
          size="xs"
          variant="subtle"
          onClick={() => change({ show: 'timeline', since: day, until: day })}
        >
          <Trans>Open as a list</Trans>
        </Button>
      }
    >
      <QueryResult of={found} loading={<MemoryListSkeleton />}>
        {({ memories }) =>
          memories.length === 0 ? (
            <Empty icon={IconCalendarOff} title={t`No memory is of this day`} />
          ) : (
            <div className={classes.day}>
              {memories.map((memory) => (
                <MemoryListItem key={memory.id} memory={memory} />
              ))}
              {more && (
                <Text size="sm" c="dimmed" px="lg" py="xs">
                  <Trans>The newest {formatNumber(MOST_OF_DAY)} of them</Trans>
                </Text>
              )}
            </div>
          )
        }
      </QueryResult>
    </Panel>
  );
}
