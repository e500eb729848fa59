import { Skeleton } from '@mantine/core';
import type { EChartsCoreOption } from 'echarts/core';
import { lazy, Suspense } from 'react';

export interface ChartProps {
  /** What to draw; keep it the same object until it changes. */
  readonly option: EChartsCoreOption;
  readonly height: number;
  /** What it shows, in words, for those who do not see it. */
  readonly label: string;
  /** Gets the data of the point. */
  readonly onClick?: (data: unknown) => void;
}

const Chart = lazy(() => import('./chart.tsx'));

/** A chart; the library behind it is loaded with the first one. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} radius="md" />}>
      <Chart {...props} />
    </Suspense>
  );
}
