import type { AgentMemory } from '@svc-memory/core';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  endOfAnimations,
  expectAccessible,
  follow,
  SIZES,
  shoot,
  useDashboard,
} from './dashboard.fixture.ts';
import { expectUnharmed } from './hostile.fixture.ts';

const dashboard = useDashboard();
const LONG_MS = 240_000;

/** Names that try to run as code, to turn the text around them, to widen the page, or to become a formula. */
const NAMES = [
  '<img src=x onerror="window.harmed=1">',
  'javascript:window.harmed=2//',
  '=HYPERLINK("http://evil.example","open")',
  '[open](javascript:window.harmed=3)',
  'שלום העולם, زر الحذف',
  '👩‍👩‍👧‍👦🏳️‍🌈👨🏿‍🚀',
  'W'.repeat(64),
  '{{constructor.constructor("harmed=4")()}} <0>{name}</0> %s',
  String.raw`\u202Eliteral \x41 \u0000`,
  '../../etc/passwd?a=1#b&c=%2e%2e',
] as const;
/** What the service takes only within texts, where characters that cannot be seen are shown. */
const UNSEEN = 'safe\u202Eexe.txt\u200B\u2066\u{E0041}\u{E0042} end';
const WORD = 'ab'.repeat(16_000);

/** What of a name a space may be called. */
const spaceName = (name: string) => `x${name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '').trim()}`.slice(0, 64);

/** What the page of memories can be asked with a name: a search, filters that find something, and filters that do not. */
const asksFor = (name: string): Readonly<Record<string, string>>[] => [
  { query: name },
  { tag: name, session: name },
  { key: name, session: UNSEEN, name },
];

async function post(context: BrowserContext, path: string, data: unknown) {
  const answer = await context.request.post(`/api/v1${path}`, { data, headers: { Origin: dashboard.url } });
  expect(answer.ok(), `${path} ${await answer.text()}`).toBe(true);
  return answer.json();
}

/** Gives everything that has a name a hostile one, and memories hostile texts. */
async function fillWith(agent: AgentMemory, context: BrowserContext) {
  let last = '';
  for (const [place, name] of NAMES.entries()) {
    const { space } = await agent.createSpace({ name: spaceName(name) });
    last = space.id;
    await agent.remember({ type: 'semantic', content: `${name} ${UNSEEN}`, space_id: space.id });
    await agent.remember({ type: 'semantic', content: `${UNSEEN} ${name} likes tea.`, user_id: name });
    await agent.remember({
      ...{
        type: 'episodic',
        content: `${name} ${UNSEEN} and ${name}`,
        tags: [name],
        key: `${name}-${place}`,
      },
      ...{ session_id: name, metadata: { [name]: name } },
    });
    await agent.createScheduleItem({
      title: name,
      note: UNSEEN + WORD.slice(0, 1_900),
      due_at: '2026-01-01',
    });
    await agent.createWipItem({ title: name, note: UNSEEN });
    await agent.recall({ query: `${UNSEEN} ${name}` });
    await post(context, '/api-keys', { name });
    await agent.compaction({ phase: 'pre', session_id: name });
  }
  await post(context, '/event-endpoints', {
    url: `http://127.0.0.1:19999/${WORD.slice(0, 400)}`,
    events: ['*'],
  });
  for (const display_name of NAMES) await post(context, '/agents', { display_name });
  const { memory } = await agent.remember({
    type: 'core',
    category: 'soul',
    content: `I am safe. ${UNSEEN}`,
  });
  await agent.update({
    id: memory.id,
    // Laying a difference of 32,000 characters out takes seconds; the page of the word has as many.
    content: `I am ${NAMES.join(' ')} ${UNSEEN} ${WORD.slice(0, 4_000)}`,
  });
  const { memory: word } = await agent.remember({ type: 'semantic', content: WORD });
  await agent.forget({ id: (await agent.remember({ type: 'working', content: NAMES.join(' ') })).memory.id });
  await agent.distress({ context: NAMES.join(' ') + UNSEEN });
  return { memory: memory.id, word: word.id, space: last };
}

async function open(page: Page, path: string): Promise<void> {
  await follow(page, path);
  await page.locator('main h1').waitFor();
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** Whether each character that cannot be seen is named where the text is shown, not given to the page as it is. */
async function expectNoUnseen(page: Page): Promise<void> {
  const found = await page.evaluate<string[]>(`(() => {
    const unseen = /[\\u202A-\\u202E\\u2066-\\u2069\\u200B\\u2060\\uFEFF\\u{E0000}-\\u{E007F}]/u;
    const found = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (unseen.test(node.data) && node.parentElement.checkVisibility()) found.push(node.parentElement.outerHTML.slice(0, 200));
    }
    for (const name of ['aria-label', 'title', 'alt', 'placeholder']) {
      for (const element of document.querySelectorAll('[' + name + ']')) {
        if (unseen.test(element.getAttribute(name))) found.push(name + ': ' + element.outerHTML.slice(0, 200));
      }
    }
    if (unseen.test(document.title)) found.push(document.title);
    return found;
  })()`);
  expect(found, page.url()).toEqual([]);
}

/** Opens what a page keeps folded. */
async function unfold(page: Page, path: string): Promise<void> {
  if (path === '/people') {
    const folded = page.getByRole('button', { name: 'What is known' });
    while ((await folded.count()) > 0) await folded.first().click();
    await page.getByText('likes tea').first().waitFor();
    await page.getByRole('button', { name: 'Forget' }).first().click();
    await page.getByRole('dialog').waitFor();
  }
  if (path === '/recalls') {
    await page.locator('main section button').first().click();
    await page.getByRole('button', { name: 'Ask again, and explain' }).click();
    await page.getByText('Asked again just now').waitFor();
  }
  if (path === '/memories') {
    await page.getByRole('button', { name: 'Filters' }).click();
  }
}

it(
  'names from outside stay names on every page, in a wide window and in a narrow one',
  async () => {
    const { page, agent, context } = await dashboard.visitor();
    const ids = await fillWith(agent, context);
    const paths = dashboard.paths
      .filter((path) => !/^\/(sign|forgot|reset)/.test(path))
      .map((path) => path.replace(':id', ids.memory).replace(':space', ids.space));
    const views = [
      `/memories/${ids.word}`,
      '/memories?show=archived',
      '/memories?show=calendar',
      '/memories?show=map',
      // Each name is asked for in one of the ways, and in each way for several names.
      ...NAMES.map((name, place) => {
        const asks = asksFor(name);
        return `/memories?${new URLSearchParams(asks[place % asks.length])}`;
      }),
      ...['agent', 'keys', 'apps', 'events', 'guardian', 'backups', 'account'].map(
        (tab) => `/settings?tab=${tab}`,
      ),
    ];
    // Each page begins with the size that the one before has ended with: a change of it lays everything out anew.
    const sizes: (keyof typeof SIZES)[] = ['desktop', 'small'];
    for (const path of [...paths, ...views]) {
      await open(page, path);
      await unfold(page, path);
      const isPage = !path.includes('?');
      for (const size of sizes) {
        await page.setViewportSize(SIZES[size]);
        await endOfAnimations(page);
        await expectUnharmed(page);
        await expectNoUnseen(page);
        const name = path.replaceAll(/[\da-f-]{36}/g, 'one').replaceAll('/', '-');
        if (!isPage) continue;
        await shoot(page, `names${name}-${size}`);
        // In the narrow one, where more of the names overlap. No name changes a colour.
        if (size === 'small') await expectAccessible(page, 'all but colors');
      }
      sizes.reverse();
    }
    await open(page, '/');
    await page.keyboard.press('Control+K');
    await page.locator('[role="dialog"] :focus').waitFor();
    await page.keyboard.type('likes tea');
    await page.getByRole('dialog').getByText('likes tea').first().waitFor();
    for (const size of ['desktop', 'small'] as const) {
      await page.setViewportSize(SIZES[size]);
      await endOfAnimations(page);
      await expectUnharmed(page);
      await expectNoUnseen(page);
      await shoot(page, `names-palette-${size}`);
    }
  },
  LONG_MS,
);
