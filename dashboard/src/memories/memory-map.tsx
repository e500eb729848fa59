import { Button, Group, Skeleton, Text } from '@mantine/core';
import { splitUnseen } from '@svc-memory/core/text';
import { IconMapOff } from '@tabler/icons-react';
import { useMemo } from 'react';
import { useLocation } from 'wouter';
import type { AnswerOf } from '../api/call.ts';
import { useAnswer } from '../api/hooks.ts';
import { LazyChart } from '../charts/lazy-chart.tsx';
import { type Palette, tooltip, usePalette } from '../charts/palette.ts';
import { Empty } from '../design/empty.tsx';
import { Panel } from '../design/panel.tsx';
import { QueryResult } from '../design/query-result.tsx';
import { TYPES, TypeMark } from '../design/type-mark.tsx';
import { memoryPath } from '../navigation/paths.ts';
import { useView } from './use-view.ts';

type Place = AnswerOf<'GET /memories/map'>['places'][number];

const HEIGHT = 620;
const MANY = 2_000;
const LINE = 52;

/** Draws the memories as points. Similar memories are near each other. */
export function MemoryMap() {
  const map = useAnswer('map', 'GET /memories/map', {}, { staleTime: 5 * 60_000 });
  return (
    <Panel
      title="Memory map"
      hint="What is alike lies close together. Scroll to zoom, drag to move, click to open."
      action={
        <Button size="xs" variant="default" loading={map.isFetching} onClick={() => void map.refetch()}>
          Draw anew
        </Button>
      }
    >
      <QueryResult of={map} loading={<Skeleton height={HEIGHT} radius="md" />}>
        {({ places, unplaced }) =>
          places.length === 0 ? (
            <Empty icon={IconMapOff} title="Nothing to place yet">
              {unplaced > 0
                ? 'The agent keeps its memories to itself, or they are being read for the first time.'
                : 'As soon as there are memories, you see here what they are about.'}
            </Empty>
          ) : (
            <Plane places={places} unplaced={unplaced} />
          )
        }
      </QueryResult>
    </Panel>
  );
}

function Plane({ places, unplaced }: { places: readonly Place[]; unplaced: number }) {
  const palette = usePalette();
  const [, go] = useLocation();
  const { view } = useView();
  const shown = useMemo(
    () => (view.type ? places.filter(({ type }) => type === view.type) : places),
    [places, view.type],
  );
  const option = useMemo(() => draw(shown, palette), [shown, palette]);
  return (
    <>
      <LazyChart
        option={option}
        height={HEIGHT}
        label={`${shown.length} memories, similar ones near each other. The timeline lists the same memories.`}
        onClick={(data) => {
          const place = Array.isArray(data) ? shown[Number(data[2])] : undefined;
          if (place) go(memoryPath(place.id));
        }}
      />
      <Group justify="space-between" mt="sm">
        <Group gap="lg">
          {TYPES.map((type) => (
            <TypeMark key={type} type={type} />
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          {shown.length.toLocaleString('en')} memories
          {unplaced > 0 &&
            `, ${unplaced.toLocaleString('en')} more are not placed: the agent keeps them to itself, or they wait to be read`}
        </Text>
      </Group>
    </>
  );
}

function draw(places: readonly Place[], palette: Palette) {
  const axis = { type: 'value', min: -1.04, max: 1.04, show: false } as const;
  return {
    animation: false,
    grid: { left: 0, right: 0, top: 0, bottom: 0 },
    xAxis: axis,
    yAxis: axis,
    tooltip: {
      ...tooltip(palette),
      formatter: ({ data }: { data: readonly number[] }) => describe(places[data[2] ?? 0]),
    },
    dataZoom: [
      { type: 'inside', xAxisIndex: 0, filterMode: 'none' },
      { type: 'inside', yAxisIndex: 0, filterMode: 'none' },
    ],
    series: TYPES.map((type) => ({
      type: 'scatter',
      name: type,
      color: palette.types[type],
      symbolSize: places.length > MANY ? 5 : 9,
      itemStyle: { opacity: places.length > MANY ? 0.55 : 0.8 },
      emphasis: { scale: 1.8, itemStyle: { opacity: 1 } },
      data: places.flatMap(({ x, y, type: own }, index) => (own === type ? [[x, y, index]] : [])),
    })),
  };
}

/** Returns the text of a tooltip, wrapped into short lines. */
function describe(place: Place | undefined): string {
  if (!place) return '';
  const text = splitUnseen(place.content)
    .map((part) => (typeof part === 'string' ? part : `[${part.code}]`))
    .join('')
    // A rich text tooltip of ECharts reads {name|…} as markup.
    .replace(/[{}|]/g, ' ')
    .replace(/\s+/g, ' ');
  const lines = text.match(new RegExp(`.{1,${LINE}}(?:\\s|$)|.{1,${LINE}}`, 'gu')) ?? [];
  const kind = place.category === null ? place.type : `${place.type} · ${place.category}`;
  return [kind, ...lines.slice(0, 5).map((line) => line.trim())].join('\n');
}
