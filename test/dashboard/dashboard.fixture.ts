import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type AgentMemory, createSecretBox } from '@svc-memory/core';
import { startTestEngine, type TestEngine } from '@svc-memory/core/testing';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type AppOptions, createApp } from '../../server/src/app/app.ts';
import { type RunningServer, startServer } from '../../server/src/app/listen.ts';
import { findDashboard } from '../../server/src/dashboard/assets.ts';
import { createLogger } from '../../server/src/logs/logger.ts';
import { CHROMIUM_ARGS, chromiumPath } from '../full/chromium.ts';
import { ROOT } from '../kit/process.ts';

const SCREENS = join(ROOT, '.artifacts/screens');
export const PASSWORD = 'correct horse battery';
/** Windows in pixels. `phone` and `small` have one layout: what fits the smaller one, and is reached there, is so in the other. */
export const SIZES = {
  small: { width: 320, height: 640 },
  phone: { width: 390, height: 844 },
  desktop: { width: 1360, height: 900 },
} as const;

const COLORS = ['light', 'dark'] as const;

/** The colour scheme and the size of a window, and where its browser is from. */
interface Look {
  readonly colors?: (typeof COLORS)[number];
  readonly size?: keyof typeof SIZES;
  /** Default: `en-GB`. */
  readonly language?: string;
  /** Default: `UTC`. */
  readonly timeZone?: string;
  /**
   * A browser context that no other test has: for those that change what stays (a clock, scripts at each start, permissions), or
   * that need files the browser has not loaded before.
   */
  readonly own?: boolean;
}

/** A signed-in human with an agent, in a browser context that no other has at that time. */
interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly tenantId: string;
  readonly email: string;
  /** The human's agent, in process. */
  readonly agent: AgentMemory;
}

export interface TestDashboard {
  readonly url: string;
  readonly kit: TestEngine;
  /** The path of every page; `:id` stands for a memory. */
  readonly paths: readonly string[];
  /** Opens a window without a session. */
  window(look?: Look): Promise<Page>;
  /** Signs a human up, with an agent without memories, and opens a window. */
  visitor(look?: Look): Promise<Visitor>;
  /** Ignores the recorded troubles that match. For those that a test causes on purpose. */
  forgive(trouble: RegExp): void;
  /** Stops the service, does some work, and starts it again at the same address. */
  restart(meanwhile: () => Promise<unknown>): Promise<void>;
  /** Opens one more window of the same human. */
  windowOf(visitor: Visitor, look: Look): Promise<Page>;
}

let people = 0;

/**
 * Starts the real service and a real browser for all tests of a file. A test fails if any window saw an
 * error, a breach of the Content-Security-Policy, a call to another host, or an answer of 500 and above.
 */
export function useDashboard(
  options: () => Partial<AppOptions> = () => ({}),
  engine: Parameters<typeof startTestEngine>[0] = {},
): TestDashboard {
  const made: {
    kit?: TestEngine;
    paths?: readonly string[];
    server?: RunningServer;
    browser?: Browser;
    serve?: (port: number) => Promise<RunningServer>;
  } = {};
  const lent: Lent[] = [];
  const idle: Lent[] = [];
  const troubles: string[] = [];
  const present = <T>(value: T | undefined): T => {
    if (value === undefined) throw new TypeError('only inside tests');
    return value;
  };

  beforeAll(async () => {
    const dashboard = findDashboard();
    if (!dashboard) throw new Error('The dashboard is not built: npm run build');
    const kit = await startTestEngine({
      clock: () => new Date(),
      webhooks: { secrets: createSecretBox('secret'), allowPrivate: true },
      ...engine,
    });
    made.kit = kit;
    made.paths = dashboard.paths;
    const { settings, ...others } = options();
    const app = createApp({
      engine: kit.engine,
      logger: createLogger(
        { level: 'error' },
        { write: (line: string) => troubles.push(`service: ${line}`) },
      ),
      dashboard,
      serviceUrl: () => made.server?.url ?? '',
      ...others,
      settings: {
        rateLimitPerMinute: 0,
        failedSignInsPerMinute: 0,
        signInsPerMinute: 0,
        allowSignup: true,
        ...settings,
      },
    });
    made.serve = (port) => startServer({ app, host: '127.0.0.1', port, graceMs: 100, lingerMs: 0 });
    made.server = await made.serve(0);
    made.browser = await chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_ARGS] });
  });
  afterAll(async () => {
    await made.browser?.close();
    await made.server?.close();
    await made.kit?.close();
  });
  afterEach(async ({ task }) => {
    const isSound = task.result?.state !== 'fail';
    await Promise.all(
      lent.splice(0).map(async (one) => {
        if (isSound && (await takeBack(one))) idle.push(one);
        else await one.page.context().close();
      }),
    );
    expect(troubles.splice(0)).toEqual([]);
  });

  const url = () => present(made.server).url;
  /** Lends a window: one that a test before has given back, which takes half the work of a new one, or else a new one. */
  const open = async (look: Look): Promise<Page> => {
    const { colors = 'light', size = 'desktop', language = 'en-GB', timeZone = 'UTC', own = false } = look;
    const locale = `${language} ${timeZone}`;
    const place = own ? -1 : idle.findIndex((one) => one.locale === locale);
    const [known] = place < 0 ? [] : idle.splice(place, 1);
    if (known) {
      lent.push(known);
      await known.page.emulateMedia({ colorScheme: colors });
      await known.page.setViewportSize(SIZES[size]);
      return known.page;
    }
    const context = await present(made.browser).newContext({
      baseURL: url(),
      colorScheme: colors,
      viewport: SIZES[size],
      reducedMotion: 'reduce',
      locale: language,
      timezoneId: timeZone,
    });
    context.setDefaultTimeout(40_000);
    await context.addInitScript(STAND_STILL);
    watch(context, url(), troubles);
    const page = await context.newPage();
    lent.push({ page, locale, own });
    return page;
  };

  return {
    get url() {
      return url();
    },
    get kit() {
      return present(made.kit);
    },
    get paths() {
      return present(made.paths);
    },
    forgive: (trouble) => {
      troubles.splice(0, troubles.length, ...troubles.filter((one) => !trouble.test(one)));
    },
    restart: async (meanwhile) => {
      const { port } = new URL(url());
      await present(made.server).close();
      try {
        await meanwhile();
      } finally {
        made.server = await present(made.serve)(Number(port));
      }
    },
    window: (look = {}) => open(look),
    windowOf: async ({ context }, look) => {
      const other = await open(look);
      await other.context().addCookies(await context.cookies());
      return other;
    },
    visitor: async (look = {}) => {
      const page = await open(look);
      const context = page.context();
      people += 1;
      const email = `human-${people}@example.com`;
      const answer = await context.request.post('/api/v1/auth/signup', {
        data: { email, password: PASSWORD, display_name: 'Ada' },
        headers: { Origin: url() },
      });
      const { tenant } = await answer.json();
      const agent = present(made.kit).engine.agent(tenant.id);
      return { page, context, tenantId: tenant.id, email, agent };
    },
  };
}

/**
 * Keeps all that moves by style sheets still: a spinner draws the window sixty times a second for as long as it turns. The
 * Content-Security-Policy refuses a style element.
 */
const STAND_STILL = `
  const still = new CSSStyleSheet();
  still.replaceSync('*, ::before, ::after { animation: none !important; transition: none !important }');
  document.adoptedStyleSheets.push(still);`;

/** A window that a test has, the first of its context. */
interface Lent {
  readonly page: Page;
  /** The language and the time zone of its browser, which cannot be changed. */
  readonly locale: string;
  readonly own: boolean;
}

/** A file of the dashboard that runs no code: what a window shows that is lent again. */
const NOTHING_YET = '/favicon.svg';

/** Ends what a test has begun in a window and forgets what it has stored. Tells whether it can be lent again. */
async function takeBack({ page, own }: Lent): Promise<boolean> {
  if (own || page.isClosed()) return false;
  const context = page.context();
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  page.removeAllListeners();
  await page.mouse.move(0, 0);
  // There no code of the dashboard can store anything after it is cleared, or miss its session.
  await page.goto(NOTHING_YET);
  await context.clearCookies();
  await page.evaluate('sessionStorage.clear(), localStorage.clear()');
  return true;
}

function watch(context: BrowserContext, url: string, troubles: string[]): void {
  context.on('weberror', (error) => troubles.push(`page: ${error.error().stack}`));
  context.on('console', (message) => {
    // The browser logs every refused call, also those that a test is about.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      troubles.push(`console: ${message.text()}`);
    }
  });
  context.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`)) troubles.push(`foreign: ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 500) troubles.push(`${response.status()}: ${response.url()}`);
  });
}

/**
 * Goes to a page as a link of the dashboard does, which takes a third of the work of loading everything anew. Only a window
 * that shows no page yet loads it; `every page is accessible` loads each of them.
 */
export async function follow(page: Page, path: string): Promise<void> {
  if (page.url() === 'about:blank' || page.url().endsWith(NOTHING_YET)) await page.goto(path);
  // What was shown before is gone with the next frame.
  else
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}), new Promise((resolve) => requestAnimationFrame(resolve))`,
    );
}

/** Whether to take screenshots: no test looks at one, and drawing hundreds of whole pages takes minutes. */
const TAKES_PICTURES = Boolean(process.env.SVC_TEST_PICTURES);

/** Saves a screenshot of the window among the artefacts, where `SVC_TEST_PICTURES` is set. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  await mkdir(SCREENS, { recursive: true });
  await page.screenshot({ path: join(SCREENS, `${name}.png`), animations: 'disabled', fullPage: true });
}

/** The rules of axe that look at colours. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Shows the open page in each colour scheme, without loading it again, and fails if it is not accessible there. The scheme
 * changes nothing but colours: in the second axe looks at these only.
 */
export async function* looksOf(page: Page): AsyncGenerator<string> {
  for (const colors of COLORS) {
    await page.emulateMedia({ colorScheme: colors });
    await page.locator(`html[data-mantine-color-scheme="${colors}"]`).waitFor();
    await endOfAnimations(page);
    await expectAccessible(page, colors === COLORS[0] ? 'all' : 'colors');
    yield colors;
  }
}

/**
 * Fails if axe finds a serious or critical accessibility problem in the window.
 * @param rules Those that look at colours, which take half the time, or the others. Default: both.
 */
export async function expectAccessible(
  page: Page,
  rules: 'all' | 'colors' | 'all but colors' = 'all',
): Promise<void> {
  // The Content-Security-Policy refuses an added script element, so axe is evaluated.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(axe.source);
  const { violations } = await page.evaluate(
    ({ which, ofColors }) =>
      (globalThis as unknown as { axe: typeof axe }).axe.run({
        resultTypes: ['violations'],
        ...(which === 'colors' && { runOnly: ofColors }),
        ...(which !== 'colors' && {
          rules: {
            // 24 pixels (WCAG 2.2, 2.5.8), which axe leaves out unless it is told.
            'target-size': { enabled: true },
            ...(which === 'all but colors' &&
              Object.fromEntries(ofColors.map((rule) => [rule, { enabled: false }]))),
          },
        }),
      }),
    { which: rules, ofColors: COLOR_RULES },
  );
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  const found = serious.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
  expect(found, [page.url(), ...found].join('\n')).toEqual([]);
}

/** Resolves when all finite animations have ended. A spinner never ends. */
export function endOfAnimations(page: Page): Promise<void> {
  return page.evaluate(`new Promise((laidOut) => requestAnimationFrame(() => requestAnimationFrame(laidOut)))
    .then(() => Promise.allSettled(document.getAnimations()
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity)
      .map(({ finished }) => finished)))
    .then(() => {})`);
}
