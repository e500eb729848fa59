import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('searches as the agent recalls, while the human types', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.keyboard.press('/');
  await page
    .getByLabel('Search memories')
    .pressSequentially('who approves a deploy on a Friday', { delay: 15 });
  const first = page.locator('main a[href^="/memories/"]').first();
  await expect.poll(() => first.textContent()).toContain('Maya approves exceptions');
  expect(await first.textContent()).toMatch(/\d+ %/);
  await expect.poll(() => page.url()).toContain('query=who+approves+a+deploy+on+a+Friday');
  await shoot(page, 'memories-search');
  await expectAccessible(page);
  expect(await page.locator('mark').count()).toBeGreaterThan(0);
  await page.locator('label', { hasText: 'episodic' }).click();
  await expect.poll(() => first.textContent()).toContain('episodic');
  // Back takes back one step, and the field says what the list shows.
  await page.goBack();
  await expect.poll(() => first.textContent()).toContain('Maya approves exceptions');
  await page.goBack();
  await expect.poll(() => page.getByLabel('Search memories').inputValue()).toBe('');
  await page.goForward();
  await expect.poll(() => page.getByLabel('Search memories').inputValue()).toContain('who approves');
  await page.locator('label', { hasText: 'Map' }).click();
  await page.getByText(/of them found/).waitFor();
  await page.locator('label', { hasText: 'Timeline' }).click();
  await page.getByRole('link', { name: 'Memories', exact: true }).click();
  await expect.poll(() => page.getByLabel('Search memories').inputValue()).toBe('');
  await page.locator('h1').click();
  await page.keyboard.press('/');
  await page.keyboard.type('deploy');
  await expect.poll(() => page.url()).toContain('query=deploy');
  await page.getByLabel('Clear the search').click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await shoot(page, 'memories-timeline');
  await expectAccessible(page);
});

it('filters by tag, name, category and day, in a view that can be kept', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark' });
  await tellAda(agent);
  const rows = page.locator('main a[href^="/memories/0"]');
  await page.goto('/memories?tag=priya');
  await page.getByText('Introduced myself to Priya').first().waitFor();
  expect(await rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByRole('button', { name: /^Maya/ }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  for (const text of await rows.allTextContents()) expect(text).toMatch(/maya/i);
  await shoot(page, 'memories-filters-dark');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByText('Save this view').click();
  await page.getByRole('textbox', { name: 'Name' }).fill('About Maya');
  await page.getByRole('button', { name: 'Save it' }).click();
  await page.goto('/memories?type=core');
  await page.getByRole('button', { name: 'Filters' }).click();
  await page.getByPlaceholder('Any category').click();
  await page.getByRole('option', { name: 'tools' }).click();
  await page.getByText('The rollback script is').first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'About Maya' }).click();
  await expect.poll(() => page.url()).toContain('name=Maya');
  await follow(page, '/memories?since=2001-01-01&until=2001-01-02');
  await page.getByText('No memory passes these filters').waitFor();
  await shoot(page, 'memories-none-dark');
  await expectAccessible(page);
});

it('says while it searches that what it shows was found for other words, and names the filters that a search takes', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'Maya approves deploys.', tags: ['deploy'] });
  await page.goto('/memories?query=deploys&tag=deploy&source=import&name=Jonas&metadata=half');
  await page.getByText('Maya approves deploys.').first().waitFor();
  const filters = page.getByRole('button', { name: 'Remove the filter' });
  expect(await filters.count()).toBe(1);
  await page.getByRole('button', { name: 'Remove the filter tag' }).waitFor();
  let answer = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/memories/recall', async (route) => {
    if (route.request().postDataJSON().query !== 'zeppelin') await held;
    await route.fallback();
  });
  const field = page.getByLabel('Search memories');
  await field.fill('zeppelin');
  await page.getByText('Nothing like that').waitFor();
  await field.fill('who approves');
  await page.getByText('Nothing like that').waitFor({ state: 'detached' });
  answer();
  await page.getByText('Maya approves deploys.').first().waitFor();
  await page.locator('[aria-busy="true"]').waitFor({ state: 'detached' });
});

it('reads a list on, and says why where that fails', async () => {
  const { page, agent } = await dashboard.visitor();
  const many = Array.from({ length: 101 }, (_, number) => `Fact ${number}.`);
  for (const some of [many.slice(1), many.slice(0, 1)]) {
    await agent.rememberBatch({
      memories: some.map((content) => ({
        type: 'episodic',
        content,
        // The last one stands on the second page.
        occurred_at: content === 'Fact 0.' ? '2020-01-01' : '2026-01-01',
      })),
    });
  }
  // What the live stream tells of has the list read anew, with what failed.
  await page.route('**/api/v1/events/stream', (route) => route.abort());
  let asked = 0;
  await page.route('**/api/v1/memories/query', async (route) => {
    if (!('cursor' in route.request().postDataJSON())) return route.fallback();
    asked += 1;
    const error = { code: 'INTERNAL', message: 'The rest is away.', request_id: 'r-1' };
    await route.fulfill({ status: 418, json: { success: false, error } });
  });
  await page.goto('/memories');
  await page.getByText('101 memories', { exact: true }).waitFor();
  await page
    .getByText(/^Fact \d/)
    .first()
    .waitFor();
  await page.keyboard.press('End');
  await page.getByRole('alert').getByText('The rest is away.').waitFor();
  expect(asked).toBe(1);
  await page.unroute('**/api/v1/memories/query');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect
    .poll(async () => {
      await page.keyboard.press('End');
      return page.getByText('Fact 0.', { exact: true }).count();
    })
    .toBe(1);
  const { memories } = await agent.query({ limit: 100 });
  const rest = await agent.query({ limit: 100, until: '2021-01-01' });
  for (const { id } of [...memories, ...rest.memories]) await agent.forget({ id });
  await follow(page, '/memories?show=archived');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Restore' }).count()).toBe(101);
});

it('is read by the keyboard alone, beside a preview, and archives many at once', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/memories?type=semantic');
  await page.getByText('6 memories', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  const preview = page.getByRole('complementary', { name: 'Preview' });
  const current = page.locator('main a[aria-current="true"]');
  const text = (await current.locator('p').textContent()) ?? '';
  expect(await preview.textContent()).toContain(text);
  await page.keyboard.press('x');
  await page.keyboard.press('k');
  await page.keyboard.press('x');
  await page.getByText('2 memories selected').waitFor();
  await shoot(page, 'memories-selected');
  await expectAccessible(page);
  await page
    .getByRole('region', { name: 'Selected memories' })
    .getByRole('button', { name: 'Archive' })
    .click();
  await page.getByText('2 memories archived.').waitFor();
  await page.getByText('4 memories', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('6 memories', { exact: true }).waitFor();
  expect((await agent.query({ type: 'semantic' })).memories).toHaveLength(6);
  await page.keyboard.press('j');
  await page.keyboard.press('o');
  await page.waitForURL('**/memories/0*');
});

it('shows a year of memories, and the memories of a day beside it', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  const at = new Date().toISOString().slice(0, 10);
  await page.goto('/memories?show=calendar');
  await page.getByText(/memories on \d+ days/).waitFor();
  await page.getByRole('list', { name: 'Memories of a day' }).getByText('none').waitFor();
  await page.locator(`[data-day="${at}"]`).click();
  await page.getByText('The rollback script is').first().waitFor();
  await page.keyboard.press('ArrowLeft');
  const before = await page.evaluate<string>('document.activeElement.dataset.day');
  expect(Date.parse(at) - Date.parse(before)).toBe(7 * 86_400_000);
  await shoot(page, 'memories-calendar');
  await expectAccessible(page);
});

it('shows what the memories are about on a map, to read and to open', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/memories?show=map');
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  await page.getByRole('list', { name: 'Groups' }).getByRole('button').first().click();
  await page.getByRole('list', { name: 'Groups' }).getByRole('link').first().waitFor();
  await shoot(page, 'memories-map');
  await expectAccessible(page);
  await page.getByRole('list', { name: 'Groups' }).getByRole('button').first().click();
  const { places } = await agent.memoryMap();
  // A point apart from the others, so that a click hits only this one.
  const apart = places
    .map((place) => ({
      place,
      gap: Math.min(
        ...places.map(({ id, x, y }) => (id === place.id ? 9 : Math.hypot(x - place.x, y - place.y))),
      ),
    }))
    .sort((one, other) => other.gap - one.gap)[0]?.place;
  const box = await canvas.boundingBox();
  if (!apart || !box) throw new Error('there is nothing to click at');
  const at = {
    x: box.x + ((apart.x + 1.04) / 2.08) * box.width,
    y: box.y + (1 - (apart.y + 1.04) / 2.08) * box.height,
  };
  await page.mouse.move(at.x, at.y);
  await page.waitForTimeout(100);
  await shoot(page, 'memories-map-hover');
  await page.mouse.click(at.x, at.y);
  await page.waitForURL(`**/memories/${apart.id}`);
});

it('explains what the agent shows', async () => {
  const { page, agent } = await dashboard.visitor();
  const { session_key: sessionKey } = await agent.sessionKey();
  await agent.setVisibility(
    { types: { working: 'redacted' }, tags: { private: 'hidden' }, categories: { soul: 'redacted' } },
    { sessionKey },
  );
  await page.goto('/visibility');
  await page.getByText('You see that it exists').first().waitFor();
  await page.getByText('private', { exact: true }).waitFor();
  await shoot(page, 'visibility');
  await expectAccessible(page);
});
