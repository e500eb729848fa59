import { type Browser, chromium, type Page } from 'playwright-core';
import { CHROMIUM_ARGS, CHROMIUM_FIX, findChromium } from '../../full/chromium.ts';
import type { Benchmark } from '../benchmark.ts';
import { LEAVE_SIGNALS } from '../clean-up.ts';
import { GOALS, OBSERVE, type Vitals, vitalsOf } from '../dashboard/vitals.ts';
import { median } from '../measure.ts';
import type { Figure } from '../report.ts';

/** 200 KiB: the first page, without its charts and what is loaded when it is used. */
const GOAL_SCRIPT_KB = 204.8;
const GOAL_SEARCH_MS = 1_000;
const GOAL_ROWS = 200;
/** The pages that show many memories, by what is there when they are drawn. */
const PAGES = [
  ['/', 'main ul[aria-label] a'],
  ['/memories', 'main a[href^="/memories/"]'],
  ['/memories?show=calendar', '[data-day]'],
  ['/memories?show=map', 'canvas'],
] as const;
/** How long a page is watched after it is drawn: shifts and tasks come late, too. */
const WATCHED_MS = 1_500;
const QUERIES = [
  'the red garden',
  'a letter from home',
  'what was planned',
  'who was there',
  'the old house',
];

export const dashboard: Benchmark = {
  name: 'dashboard',
  description:
    'The dashboard in a real browser: compressed script of the first load, from the last key of a search to its answer on the page, rows on the page of a long list, the map of all memories; the largest contentful paint, layout shift and longest task of these pages, which a quick run leaves to `pages`.',
  run: async (bench) => {
    const executablePath = findChromium(process.env);
    if (executablePath === undefined) {
      bench.progress(`dashboard: skipped, Chromium is missing. ${CHROMIUM_FIX}\n`);
      return [];
    }
    const world = await bench.world();
    const service = await world.start();
    const browser = await chromium.launch({ executablePath, args: [...CHROMIUM_ARGS], ...LEAVE_SIGNALS });
    try {
      bench.progress('dashboard');
      const page = await browser.newPage({ viewport: { width: 1360, height: 900 } });
      page.setDefaultTimeout(60_000);
      await page.goto(await service.signInUrl());
      await page.getByText('Live', { exact: true }).waitFor();
      const cookies = await page.context().cookies();
      const { rounds } = bench.effort({ rounds: 5, calls: 1 });
      return [
        ...(await firstLoad(browser, service.url, cookies)),
        ...(await searching(page, service.url, rounds)),
        ...(await scrolling(page, service.url)),
        ...(await mapping(page, service.url)),
        ...(bench.quick ? [] : await vitals(browser, service.url, cookies)),
      ];
    } finally {
      await browser.close();
      await service.stop();
    }
  },
};

/** With an empty cache: what was sent as script before the page is there. */
async function firstLoad(browser: Browser, url: string, cookies: Cookies): Promise<Figure[]> {
  const context = await browser.newContext();
  await context.addCookies(cookies);
  const page = await context.newPage();
  const scripts: Promise<number>[] = [];
  page.on('requestfinished', (request) => {
    if (request.resourceType() !== 'script') return;
    scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize));
  });
  const began = performance.now();
  await page.goto(`${url}/`);
  await page.getByRole('list', { name: 'Memories by type' }).waitFor();
  const shown = performance.now() - began;
  const sizes = await Promise.all(scripts);
  await context.close();
  const kilobytes = sizes.reduce((sum, bytes) => sum + bytes, 0) / 1_000;
  return [
    { name: 'dashboard script', unit: 'kB', value: kilobytes, goal: GOAL_SCRIPT_KB },
    { name: 'dashboard shown', unit: 'ms', value: shown },
  ];
}

async function searching(page: Page, url: string, rounds: number): Promise<Figure[]> {
  await page.goto(`${url}/memories`);
  const field = page.getByLabel('Search memories');
  const times: number[] = [];
  for (const query of QUERIES.slice(0, rounds)) {
    await field.fill('');
    await field.pressSequentially(query.slice(0, -1));
    const answered = page.waitForResponse(
      (response) => response.url().endsWith('/recall') && response.request().postDataJSON().query === query,
    );
    const began = performance.now();
    await field.press(query.slice(-1));
    await answered;
    // A question of common words alone may find nothing.
    const found = page.locator('main a[href^="/memories/"]').or(page.getByText('Nothing like that'));
    await found.first().waitFor();
    times.push(performance.now() - began);
  }
  return [{ name: 'dashboard search', unit: 'ms', value: median(times), goal: GOAL_SEARCH_MS }];
}

async function scrolling(page: Page, url: string): Promise<Figure[]> {
  await page.goto(`${url}/memories`);
  const rows = page.locator('main a[href^="/memories/"]');
  await rows.first().waitFor();
  let most = 0;
  for (let screen = 0; screen < 20; screen += 1) {
    const next = page.waitForResponse((response) => response.url().endsWith('/query'), { timeout: 2_000 });
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await next.catch(() => undefined);
    most = Math.max(most, await rows.count());
  }
  return [{ name: 'dashboard rows on the page', unit: 'rows', value: most, goal: GOAL_ROWS }];
}

async function mapping(page: Page, url: string): Promise<Figure[]> {
  await page.goto(`${url}/memories`);
  await page.locator('main a[href^="/memories/"]').first().waitFor();
  const began = performance.now();
  await page.getByText('Map', { exact: true }).click();
  await page.locator('canvas').first().waitFor();
  // The frame after the one that drew it.
  await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  return [{ name: 'dashboard map', unit: 'ms', value: performance.now() - began }];
}

/** Opens each page anew, the first with an empty cache; tells the worst of all. */
async function vitals(browser: Browser, url: string, cookies: Cookies): Promise<Figure[]> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addCookies(cookies);
  await context.addInitScript(OBSERVE);
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const measured: Vitals[] = [];
  for (const [path, drawn] of PAGES) {
    await page.goto(`${url}${path}`);
    await page.locator(drawn).first().waitFor();
    await page.waitForTimeout(WATCHED_MS);
    measured.push(await vitalsOf(page));
  }
  await context.close();
  const worst = (name: keyof typeof GOALS) => Math.max(...measured.map((vitals) => vitals[name]));
  return [
    { name: 'dashboard largest contentful paint', unit: 'ms', value: worst('lcp'), goal: GOALS.lcp },
    { name: 'dashboard layout shift', unit: '%', value: 100 * worst('cls'), goal: 100 * GOALS.cls },
    { name: 'dashboard longest task', unit: 'ms', value: worst('longestTask'), goal: GOALS.longestTask },
  ];
}

type Cookies = Parameters<ReturnType<Page['context']>['addCookies']>[0];
