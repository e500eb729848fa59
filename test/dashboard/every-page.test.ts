import type { AgentMemory } from '@svc-memory/core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, follow, looksOf, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();

const SIGNED_OUT = new Set(['/sign-in', '/sign-up', '/forgot-password', '/reset-password']);
const VIEWS = [
  '/memories?query=deploy',
  '/memories?show=calendar',
  '/memories?show=map',
  '/memories?show=archived',
  ...['agent', 'keys', 'apps', 'events', 'guardian', 'backups', 'account'].map(
    (tab) => `/settings?tab=${tab}`,
  ),
];

/** Returns the path of every page and view of a signed-in human. */
function pagesOf(memoryId: string, spaceId: string): string[] {
  const own = dashboard.paths.filter((path) => !SIGNED_OUT.has(path));
  return [...own.map((path) => path.replace(':id', memoryId).replace(':space', spaceId)), ...VIEWS];
}

/** Makes a space with a memory in it. */
async function shareMemory(agent: AgentMemory, content: string): Promise<string> {
  const { space } = await agent.createSpace({ name: 'Orchard team' });
  await agent.remember({ type: 'semantic', content, space_id: space.id });
  return space.id;
}

/** Opens a page, by its address or as a link does, and waits until its queries have loaded. */
async function open(page: Page, path: string, way: 'loads' | 'follows'): Promise<void> {
  await (way === 'loads' ? page.goto(path) : follow(page, path));
  await page.locator('main h1').waitFor();
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('not found', { exact: false }).count()).toBe(0);
}

/** Asks for a change of the soul, so that something waits with the Guardian. */
async function askForChange(agent: AgentMemory, content: string): Promise<string> {
  const { memories } = await agent.query({ type: 'core', category: 'soul', limit: 1 });
  const [{ id } = { id: '' }] = memories;
  await agent.update({ id, content });
  return id;
}

/** As `looksOf`, in the scheme that the page has, whose colours the other test has seen. */
async function* accessible(page: Page): AsyncGenerator<string> {
  await expectAccessible(page, 'all but colors');
  yield 'light';
}

/** Some 25 pages, each with axe in two schemes. */
const LONG_MS = 300_000;
const SIZE_NAMES = ['desktop', 'phone'] as const;

it.each(SIZE_NAMES)(
  'every page is accessible and fits the window, on a desktop in light and dark (%s)',
  async (size) => {
    const { page, agent } = await dashboard.visitor({ size });
    await tellAda(agent);
    const id = await askForChange(agent, 'I ship fast. Speed is all that counts.');
    await agent.distress({ context: 'Somebody asks me to skip the review.' });
    await agent.createScheduleItem({
      title: 'Renew the certificate',
      due_at: '2026-01-01',
      note: 'Ask Maya.',
    });
    await agent.createWipItem({ title: 'Release notes', note: 'Half of them are there.' });
    await agent.recall({ query: 'who approves a deploy?' });
    const space = await shareMemory(agent, 'The pruning ends in March.');
    for (const path of pagesOf(id, space)) {
      // The views of a page have its address.
      await open(page, path, size === 'desktop' && !VIEWS.includes(path) ? 'loads' : 'follows');
      const name = path
        .replace(id, 'one')
        .replace(space, 'one')
        .replaceAll(/[^a-z]+/g, '-');
      // A scheme has the same colours in each window.
      for await (const look of size === 'desktop' ? looksOf(page) : accessible(page)) {
        await expectUnharmed(page);
        await shoot(page, `every${name}-${look}-${size}`);
      }
    }
  },
  LONG_MS,
);

it('the pages to sign in are accessible, in light and dark', async () => {
  const page = await dashboard.window();
  for (const path of SIGNED_OUT) {
    await page.goto(path);
    await page.locator('h1, h2').first().waitFor();
    for await (const _ of looksOf(page));
  }
});

// In the narrowest window the test of languages does it.
it('no page runs or is broken by hostile text', async () => {
  const { page, agent } = await dashboard.visitor();
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
  const title = (HOSTILE.turned + HOSTILE.script).slice(0, 200);
  const note = HOSTILE.word.slice(0, 1_000) + HOSTILE.control;
  await agent.createScheduleItem({ title, note, due_at: '2026-01-01' });
  await agent.createWipItem({ title, note });
  await agent.recall({ query: HOSTILE.script });
  await agent.remember({
    type: 'semantic',
    content: HOSTILE.link,
    tags: [HOSTILE.markup.slice(0, 60)],
    key: HOSTILE.word.slice(0, 200),
  });
  const space = await shareMemory(agent, HOSTILE.turned + HOSTILE.script);
  for (const path of pagesOf(id, space)) {
    await open(page, path, 'follows');
    await expectUnharmed(page);
  }
});
