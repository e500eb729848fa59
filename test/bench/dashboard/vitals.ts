import type { Page } from 'playwright-core';

/** What a page tells of its own loading: the largest contentful paint and the longest task in milliseconds, the layout shift. */
export interface Vitals {
  readonly lcp: number;
  readonly cls: number;
  readonly longestTask: number;
  /** The beginning of each element that has moved, and how much it moved the page. */
  readonly moved: readonly (readonly [element: string, shift: number])[];
}

/** The most that each should be. */
export const GOALS = { lcp: 1_500, cls: 0.05, longestTask: 200 };

/** A script that watches a page from its beginning. */
export const OBSERVE = `
  const vitals = (globalThis.vitals = { lcp: 0, cls: 0, longestTask: 0, moved: [] });
  const observe = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  observe('largest-contentful-paint', ({ startTime }) => { vitals.lcp = startTime; });
  observe('layout-shift', ({ value, hadRecentInput, sources }) => {
    if (hadRecentInput) return;
    vitals.cls += value;
    for (const { node } of sources) vitals.moved.push([String(node?.outerHTML ?? node?.textContent).slice(0, 160), value]);
  });
  observe('longtask', ({ duration }) => { vitals.longestTask = Math.max(vitals.longestTask, duration); });
`;

/** Reads what the script has seen so far. */
export function vitalsOf(page: Page): Promise<Vitals> {
  return page.evaluate<Vitals>('globalThis.vitals');
}
