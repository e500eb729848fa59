import { Skeleton, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAnswer } from '../api/hooks.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { type Palette, tooltip, usePalette } from '../charts/palette.ts';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import classes from './calendar.module.css';
import { useView } from './use-view.ts';

type Days = readonly { readonly date: string; readonly memories: number }[];

const WEEKS = 53;
const DAY_MS = 86_400_000;
const CELL = 16;
const HEIGHT = 190;
const date = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeZone: 'UTC' });
const iso = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Shows how many memories each day of the last year has. A click on a day opens its memories. */
export function Calendar() {
  const { view, change } = useView();
  const now = Date.now();
  const [since, until] = [iso(now - (WEEKS * 7 - 1) * DAY_MS), iso(now)];
  const calendar = useAnswer('memories', 'GET /memories/calendar', {
    since,
    until,
    ...(view.type && { types: [view.type] }),
  });
  return (
    <Panel title="The last year" hint="When the memories are from. Choose a day to see them.">
      <QueryResult of={calendar} loading={<Skeleton height={HEIGHT} radius="md" />}>
        {({ days }) => (
          <Year
            days={days}
            since={since}
            until={until}
            choose={(day) => change({ show: 'timeline', since: day, until: day })}
          />
        )}
      </QueryResult>
    </Panel>
  );
}

interface YearProps {
  readonly days: Days;
  readonly since: string;
  readonly until: string;
  readonly choose: (day: string) => void;
}

function Year({ days, since, until, choose }: YearProps) {
  const palette = usePalette();
  const option = useMemo(() => draw(days, since, until, palette), [days, since, until, palette]);
  const total = days.reduce((sum, { memories }) => sum + memories, 0);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must scroll by the keyboard too (WCAG 2.1.1). */}
      <section className={classes.scroll} aria-label="The last year, day by day" tabIndex={0}>
        <div className={classes.year}>
          <LazyChart
            option={option}
            height={HEIGHT}
            label={`${total} memories on ${days.length} days of the last year.`}
            onClick={(data) => {
              if (Array.isArray(data) && typeof data[0] === 'string') choose(data[0]);
            }}
          />
        </div>
      </section>
      <Text size="sm" c="dimmed">
        {total.toLocaleString('en')} memories on {days.length.toLocaleString('en')} days
      </Text>
    </>
  );
}

function draw(days: Days, since: string, until: string, palette: Palette) {
  const { quiet, line, surface, types } = palette;
  const most = Math.max(1, ...days.map(({ memories }) => memories));
  const label = { color: quiet, fontSize: 11, fontFamily: "'Inter Variable', sans-serif" };
  return {
    tooltip: {
      ...tooltip(palette),
      formatter: ({ data }: { data: readonly [string, number] }) =>
        `${date.format(new Date(data[0]))}\n${data[1]} ${data[1] === 1 ? 'memory' : 'memories'}`,
    },
    visualMap: {
      show: false,
      min: 0,
      // Without this limit one crowded day would make all others look alike.
      max: Math.min(most, 12),
      inRange: { color: [mix(surface, types.core, 0.18), types.core] },
    },
    calendar: {
      range: [since, until],
      top: 24,
      left: 34,
      cellSize: [CELL, CELL],
      orient: 'horizontal',
      splitLine: { show: false },
      itemStyle: { color: palette.dark ? '#24232b' : '#f1efea', borderColor: surface, borderWidth: 3 },
      dayLabel: { ...label, firstDay: 1, nameMap: ['', 'Mon', '', 'Wed', '', 'Fri', ''] },
      monthLabel: label,
      yearLabel: { show: false },
    },
    series: {
      type: 'heatmap',
      coordinateSystem: 'calendar',
      data: days.map(({ date, memories }) => [date, memories]),
      emphasis: { itemStyle: { borderColor: line } },
      itemStyle: { borderRadius: 4 },
    },
  };
}

/** Mixes two colours of the form `#rrggbb`. `share` is the part of the second, 0 to 1. */
function mix(ground: string, color: string, share: number): string {
  const part = (text: string, at: number) => Number.parseInt(text.slice(1 + 2 * at, 3 + 2 * at), 16);
  const mixed = [0, 1, 2].map((at) =>
    Math.round(part(ground, at) * (1 - share) + part(color, at) * share)
      .toString(16)
      .padStart(2, '0'),
  );
  return `#${mixed.join('')}`;
}
