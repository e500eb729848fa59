import { type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { findDashboard } from '../../../server/src/dashboard/assets.ts';
import { CHROMIUM_ARGS, CHROMIUM_FIX, findChromium } from '../../full/chromium.ts';
import type { Benchmark } from '../benchmark.ts';
import { LEAVE_SIGNALS } from '../clean-up.ts';
import { type LivedIn, liveTwoYears } from '../dashboard/lived-in.ts';
import { GOALS, OBSERVE, type Vitals, vitalsOf } from '../dashboard/vitals.ts';
import type { Figure } from '../report.ts';
import { quantile } from '../scale/load.ts';
import { watchHealth } from '../stalls/watch-health.ts';

/** Most that `/health` may wait at its 99th percentile while somebody looks through all pages, in milliseconds. */
const GOAL_HEALTH_MS = 250;
/** How long a page is watched after it is shown: shifts and tasks come late, too. */
const WATCHED_MS = { quick: 300, full: 1_000 };
const SLOWEST = 12;
const ID = /[\da-f-]{36}/g;
/** From so much on, what moved is told. */
const NOTED_SHIFT = 0.01;
/** Of these a quick run takes the first and the second in turn. */
const WINDOWS = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
  { width: 320, height: 640 },
] as const;
const SIGNED_OUT = new Set(['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/connect']);
const VIEWS = [
  '/memories?query=the%20red%20garden',
  '/memories?show=calendar',
  '/memories?show=map',
  '/memories?show=archived',
  '/memories?tag=topic-3&type=episodic',
  '/memories?name=Kyoto',
  '/memories?order=important',
  '/settings?tab=backups',
];

export const pages: Benchmark = {
  name: 'pages',
  description:
    'Every page of the dashboard in a real browser, by widths of the window, in a store of its own with --memories over two years: until all of it is shown, the largest contentful paint, layout shift and longest task; the slowest and largest answers; how long /health waits meanwhile. PAGES=TEXT in the environment: only the pages whose path holds that text. A quick run opens each page at one width, at the widest and the one of a phone in turn.',
  run: async (bench) => {
    const executablePath = findChromium(process.env);
    const dashboard = findDashboard();
    if (executablePath === undefined || !dashboard) {
      bench.progress(`pages: skipped. ${dashboard ? CHROMIUM_FIX : 'The dashboard is not built.'}\n`);
      return [];
    }
    const world = await bench.emptyWorld();
    const before = await world.start();
    const lived = await liveTwoYears(before.call, bench.memories, bench.progress).finally(before.stop);
    const service = await world.start();
    const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS], ...LEAVE_SIGNALS });
    const health = await watchHealth(service.url);
    try {
      const context = await browser.newContext({ baseURL: service.url });
      const page = await context.newPage();
      await page.goto(await service.signInUrl());
      await page.getByText('Live', { exact: true }).waitFor();
      await page.close();
      const wanted = pathsOf(dashboard.paths, lived).filter((path) => path.includes(process.env.PAGES ?? ''));
      const watchedMs = WATCHED_MS[bench.quick ? 'quick' : 'full'];
      const { result, samples } = await health.during(async () => {
        const visits: Visit[] = [];
        for (const [place, path] of wanted.entries()) {
          for (const window of bench.quick ? WINDOWS.slice(place % 2, (place % 2) + 1) : WINDOWS) {
            const visit = await visitPage(context, path, { ...window, watchedMs });
            bench.progress(`pages: ${toLine(visit)}`);
            visits.push(visit);
          }
        }
        return visits;
      });
      return [
        ...figuresOf(result),
        {
          name: 'pages: /health p99',
          unit: 'ms',
          value: quantile(samples.answered, 0.99),
          goal: GOAL_HEALTH_MS,
        },
        { name: 'pages: /health at most', unit: 'ms', value: Math.max(...samples.answered) },
      ];
    } finally {
      health.stop();
      await browser.close();
      await service.stop();
      await world.remove();
    }
  },
};

/** The paths of all pages and views of a signed-in human. */
function pathsOf(paths: readonly string[], { memoryId, spaceId }: LivedIn): string[] {
  const own = paths.filter((path) => !SIGNED_OUT.has(path));
  return [...own.map((path) => path.replace(':id', memoryId).replace(':space', spaceId)), ...VIEWS];
}

/** What was seen of one page at one width. */
interface Visit extends Vitals {
  readonly path: string;
  readonly width: number;
  /** Milliseconds until nothing on the page was loading. */
  readonly shown: number;
  readonly answers: readonly Answer[];
}

interface Answer {
  readonly what: string;
  /** Milliseconds from the question to the first byte. */
  readonly ms: number;
  readonly kB: number;
}

/** Opens a page in a window of its own, with the scripts of earlier ones in the cache. */
async function visitPage(
  context: BrowserContext,
  path: string,
  { watchedMs, ...viewport }: { readonly width: number; readonly height: number; readonly watchedMs: number },
): Promise<Visit> {
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.setViewportSize(viewport);
  await page.addInitScript(OBSERVE);
  const answers: Promise<Answer>[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().includes('/api/v1/')) answers.push(answerOf(request));
  });
  const began = performance.now();
  await page.goto(path);
  await shownOn(page);
  const shown = performance.now() - began;
  await page.waitForTimeout(watchedMs);
  const vitals = await vitalsOf(page);
  const visit = { path, width: viewport.width, shown, ...vitals, answers: await Promise.all(answers) };
  await page.close();
  return visit;
}

async function shownOn(page: Page): Promise<void> {
  await page.locator('main h1').waitFor();
  for (const loading of ['main .mantine-Skeleton-root', 'main [aria-busy="true"]']) {
    await page.locator(loading).first().waitFor({ state: 'detached' });
  }
}

async function answerOf(request: Request): Promise<Answer> {
  const { responseBodySize } = await request.sizes();
  const { requestStart, responseStart } = request.timing();
  const { pathname } = new URL(request.url());
  return {
    what: `${request.method()} ${pathname.replace('/api/v1', '').replaceAll(ID, '{id}')}`,
    ms: responseStart - requestStart,
    kB: responseBodySize / 1_000,
  };
}

function placeOf({ path, width }: Visit): string {
  return `${path.replaceAll(ID, '{id}')} at ${width}`;
}

function toLine(visit: Visit): string {
  const { shown, lcp, cls, longestTask, moved, answers } = visit;
  const slowest = answers.toSorted((one, other) => other.ms - one.ms)[0];
  const { what = 'nothing', ms = 0 } = slowest ?? {};
  const times = `shown ${Math.round(shown)} ms, LCP ${Math.round(lcp)}, task ${Math.round(longestTask)}`;
  const [mover = '', by = 0] = moved.toSorted(([, one], [, other]) => other - one)[0] ?? [];
  const most = by > NOTED_SHIFT ? `, moved ${mover}` : '';
  return `${placeOf(visit)}: ${times}, shift ${cls.toFixed(3)}, slowest ${what} ${Math.round(ms)} ms${most}`;
}

function figuresOf(visits: readonly Visit[]): Figure[] {
  const worst = (name: keyof typeof GOALS) =>
    visits.reduce((most, visit) => (visit[name] > most[name] ? visit : most));
  const [lcp, cls, task] = [worst('lcp'), worst('cls'), worst('longestTask')];
  const answers = visits.flatMap((visit) => visit.answers);
  return [
    ...visits.map((visit): Figure => ({ name: `pages: ${placeOf(visit)}`, unit: 'ms', value: visit.shown })),
    { name: `pages: largest contentful paint, ${placeOf(lcp)}`, unit: 'ms', value: lcp.lcp, goal: GOALS.lcp },
    { name: `pages: layout shift, ${placeOf(cls)}`, unit: '%', value: 100 * cls.cls, goal: 100 * GOALS.cls },
    {
      name: `pages: longest task, ${placeOf(task)}`,
      unit: 'ms',
      value: task.longestTask,
      goal: GOALS.longestTask,
    },
    ...mostOf(answers, 'ms').map(
      ({ what, ms }): Figure => ({ name: `pages: ${what}`, unit: 'ms', value: ms }),
    ),
    ...mostOf(answers, 'kB').map(
      ({ what, kB }): Figure => ({ name: `pages: ${what}`, unit: 'kB', value: kB }),
    ),
  ];
}

/** The largest of each kind of answer, the largest kinds first. */
function mostOf(answers: readonly Answer[], by: 'ms' | 'kB'): Answer[] {
  const most = new Map<string, Answer>();
  for (const answer of answers) {
    if (answer[by] > (most.get(answer.what)?.[by] ?? -1)) most.set(answer.what, answer);
  }
  return [...most.values()].sort((one, other) => other[by] - one[by]).slice(0, SLOWEST);
}
