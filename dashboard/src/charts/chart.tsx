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
  /** Receives the place of a click. Points that are drawn as one shape are not told apart by the library. */
  readonly onClick?: (clicked: ClickedPlace) => void;
}

/** A place in the units of the axes, and how far from it a finger may mean. */
export interface ClickedPlace {
  readonly x: number;
  readonly y: number;
  readonly reachX: number;
  readonly reachY: number;
}

const REACH_PIXELS = 10;

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
    made.getZr().on('click', ({ offsetX, offsetY }) => {
      const place = (x: number, y: number) => made.convertFromPixel({ xAxisIndex: 0, yAxisIndex: 0 }, [x, y]);
      const [x = 0, y = 0] = place(offsetX, offsetY);
      const [right = x, below = y] = place(offsetX + REACH_PIXELS, offsetY + REACH_PIXELS);
      click.current?.({ x, y, reachX: Math.abs(right - x), reachY: Math.abs(below - y) });
    });
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
