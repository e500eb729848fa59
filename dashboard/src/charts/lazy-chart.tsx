import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { ChartProps } from './chart.tsx';

const Chart = lazy(() => import('./chart.tsx'));

/** Shows a chart. The chart library is loaded with the first one. */
export function LazyChart(props: ChartProps) {
  return (
    <Suspense fallback={<Skeleton height={props.height} radius="md" />}>
      <Chart {...props} />
    </Suspense>
  );
}
