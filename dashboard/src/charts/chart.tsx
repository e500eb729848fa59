import { useReducedMotion } from '@mantine/hooks';
import { ScatterChart } from 'echarts/charts';
import { AriaComponent, DataZoomInsideComponent, GridComponent, TooltipComponent } from 'echarts/components';
import * as echarts from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { useEffect, useRef } from 'react';

echarts.use([
  AriaComponent,
  CanvasRenderer,
  DataZoomInsideComponent,
  GridComponent,
  ScatterChart,
  TooltipComponent,
]);

export interface ChartProps {
  /** What to draw. Keep it the same object until it changes. */
  readonly option: echarts.EChartsCoreOption;
  readonly height: number;
  /** The accessible name: what the chart shows, in words. */
  readonly label: string;
  /** Receives the data of the clicked point. */
  readonly onClick?: (data: unknown) => void;
}

/** Draws a chart with ECharts. Use it through `LazyChart`. */
export default function Chart({ option, height, label, onClick }: ChartProps) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<echarts.ECharts>(undefined);
  const click = useRef(onClick);
  click.current = onClick;
  const still = useReducedMotion();

  useEffect(() => {
    if (!element.current) return;
    const made = echarts.init(element.current);
    chart.current = made;
    made.on('click', (event) => click.current?.(event.data));
    const resized = new ResizeObserver(() => made.resize());
    resized.observe(element.current);
    return () => {
      resized.disconnect();
      made.dispose();
    };
  }, []);

  useEffect(() => {
    chart.current?.setOption({ animation: !still, ...option }, { notMerge: true });
  }, [option, still]);

  return <div ref={element} role="img" aria-label={label} style={{ height, width: '100%' }} />;
}
