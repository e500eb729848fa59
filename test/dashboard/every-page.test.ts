import type { AgentMemory } from '@svc-memory/core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import paths from '../../dashboard/pages.json' with { type: 'json' };
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();

const SIGNED_OUT = new Set(['/sign-in', '/sign-up', '/forgot-password', '/reset-password']);
const VIEWS = [
  '/memories?query=deploy',
  '/memories?show=calendar',
  '/memories?show=map',
  '/memories?show=archived',
  ...['agent', 'keys', 'endpoints', 'protection', 'account'].map((tab) => `/settings?tab=${tab}`),
];

/** Every page and view that a signed-in human has of an agent. */
function pagesOf(memoryId: string): string[] {
  const own = Object.values(paths).filter((path) => !SIGNED_OUT.has(path));
  return [...own.map((path) => path.replace(':id', memoryId)), ...VIEWS];
}

/** Opens a page and waits for what it reads when it is opened. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('main h1').waitFor();
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('not found', { exact: false }).count()).toBe(0);
}

/** Asks for a change of the first core memory, so that something waits with the Guardian. */
async function askForChange(agent: AgentMemory, content: string): Promise<string> {
  const { memories } = await agent.query({ type: 'core', category: 'soul', limit: 1 });
  const [{ id } = { id: '' }] = memories;
  await agent.update({ id, content });
  return id;
}

const LOOKS = [
  { colors: 'light', size: 'desktop' },
  { colors: 'dark', size: 'desktop' },
  { colors: 'light', size: 'phone' },
  { colors: 'dark', size: 'phone' },
] as const;

it.each(LOOKS)('every page is accessible and fits the window: $colors, $size', async ({ colors, size }) => {
  const { page, agent } = await dashboard.visitor({ colors, size });
  await tellAda(agent);
  const id = await askForChange(agent, 'I ship fast. Speed is all that counts.');
  await agent.distress({ context: 'Somebody asks me to skip the review.' });
  for (const path of pagesOf(id)) {
    await open(page, path);
    await expectAccessible(page);
    await expectUnharmed(page);
    await shoot(page, `every${path.replace(id, 'one').replaceAll(/[^a-z]+/g, '-')}-${colors}-${size}`);
  }
});

it.each(LOOKS.slice(0, 2))('the pages to sign in are accessible: $colors', async (look) => {
  const page = await dashboard.window(look);
  for (const path of SIGNED_OUT) {
    await page.goto(path);
    await page.locator('h1, h2').first().waitFor();
    await expectAccessible(page);
  }
});

it.each(['desktop', 'phone'] as const)('no page runs or is broken by hostile text (%s)', async (size) => {
  const { page, agent } = await dashboard.visitor({ size });
  await agent.remember({
    type: 'core',
    category: 'soul',
    content: HOSTILE.turned + HOSTILE.word.slice(0, 5_000),
  });
  for (const content of Object.values(HOSTILE)) {
    await agent.remember({ type: 'core', category: 'operations', content });
  }
  const id = await askForChange(agent, Object.values(HOSTILE).join(' ').slice(0, 32_000));
  await agent.distress({ context: HOSTILE.script + HOSTILE.word.slice(0, 3_000) });
  for (const path of pagesOf(id)) {
    await open(page, path);
    await expectUnharmed(page);
  }
});
