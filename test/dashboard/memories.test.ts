import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

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
  await page.goto('/memories?since=2001-01-01&until=2001-01-02');
  await page.getByText('No memory passes these filters').waitFor();
  await shoot(page, 'memories-none-dark');
  await expectAccessible(page);
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
