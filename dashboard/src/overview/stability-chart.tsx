import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { AnswerOf } from '../api/call.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { type Palette, tooltip, usePalette } from '../charts/palette.ts';
import classes from './stability-chart.module.css';

type Day = AnswerOf<'GET /stability/history'>['days'][number];

const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Draws boots and compactions as bars, and the share of the core memories in each boot as a line. */
export function StabilityChart({ days, height }: { days: readonly Day[]; height: number }) {
  const palette = usePalette();
  const option = useMemo(() => draw(days, palette), [days, palette]);
  const total = (name: 'boots' | 'compactions' | 'recoveries') =>
    days.reduce((sum, day) => sum + day[name], 0);
  if (total('boots') + total('compactions') === 0) {
    return (
      <Text size="sm" c="dimmed" py="lg">
        No boots and no compactions over the last {days.length} days.
      </Text>
    );
  }
  return (
    <>
      <LazyChart
        option={option}
        height={height}
        label={`Over ${days.length} days: ${total('boots')} boots, ${total('compactions')} compactions, ${total('recoveries')} recoveries.`}
      />
      <ul className={classes.legend}>
        <li data-series="boots">Boots</li>
        <li data-series="compactions">Compactions</li>
        <li data-series="coverage">Core in boot, 0 to 100 %</li>
      </ul>
    </>
  );
}

function draw(days: readonly Day[], palette: Palette) {
  const { quiet, line, types } = palette;
  const axis = { axisLine: { lineStyle: { color: line } }, axisTick: { show: false } };
  const label = { color: quiet, fontSize: 11.5, fontFamily: "'Inter Variable', sans-serif" };
  const bar = (name: string, color: string, values: readonly number[]) => ({
    name,
    type: 'bar',
    stack: 'moments',
    data: values,
    color,
    barMaxWidth: 12,
    itemStyle: { borderRadius: 2 },
  });
  return {
    grid: { left: 4, right: 4, top: 12, bottom: 2, containLabel: true },
    tooltip: {
      ...tooltip(palette),
      trigger: 'axis',
      formatter: (points: readonly { dataIndex: number }[]) => describe(days[points[0]?.dataIndex ?? 0]),
    },
    xAxis: {
      type: 'category',
      data: days.map((day) => date.format(new Date(day.date))),
      ...axis,
      axisLabel: { ...label, interval: 6 },
    },
    yAxis: [
      { type: 'value', minInterval: 1, splitLine: { lineStyle: { color: line } }, axisLabel: label },
      { type: 'value', min: 0, max: 1, show: false },
    ],
    series: [
      bar(
        'Boots',
        types.episodic,
        days.map(({ boots }) => boots),
      ),
      bar(
        'Compactions',
        types.working,
        days.map(({ compactions }) => compactions),
      ),
      {
        name: 'Core in boot',
        type: 'line',
        yAxisIndex: 1,
        data: days.map(({ boot_coverage }) => boot_coverage),
        color: types.core,
        connectNulls: true,
        showSymbol: false,
        lineStyle: { width: 2 },
      },
    ],
  };
}

function describe(day: Day | undefined): string {
  if (!day) return '';
  const coverage =
    day.boot_coverage === null ? [] : [`${Math.round(day.boot_coverage * 100)} % of the core in boot`];
  return [
    date.format(new Date(day.date)),
    `${day.boots} boots`,
    `${day.compactions} compactions, ${day.recoveries} recovered`,
    ...coverage,
  ].join('\n');
}
