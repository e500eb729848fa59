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
  expect(page.url()).toContain('query=who+approves');
  await shoot(page, 'memories-search');
  await expectAccessible(page);
  await page.getByText('episodic', { exact: true }).first().click();
  await expect.poll(() => first.textContent()).toContain('episodic');
  await page.getByLabel('Clear the search').click();
  await page.getByRole('heading', { level: 2 }).first().waitFor();
  await shoot(page, 'memories-timeline');
  await expectAccessible(page);
});

it('filters by category, tag and day', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark' });
  await tellAda(agent);
  await page.goto('/memories?tag=priya');
  await page.getByText('Introduced myself to Priya').waitFor();
  expect(await page.locator('main a[href^="/memories/"]').count()).toBe(1);
  await page.getByRole('button', { name: 'Clear' }).click();
  await page.getByText('core', { exact: true }).first().click();
  await page.getByPlaceholder('Any category').click();
  await page.getByRole('option', { name: 'tools' }).click();
  await page.getByText('The rollback script is').waitFor();
  await expect.poll(() => page.locator('main a[href^="/memories/"]').count()).toBe(1);
  await page.goto('/memories?since=2001-01-01&until=2001-01-02');
  await page.getByText('No memory passes these filters').waitFor();
  await shoot(page, 'memories-none-dark');
  await expectAccessible(page);
});

it('shows a year of memories, and the memories of a day', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/memories?show=calendar');
  await page.locator('canvas').first().waitFor();
  await page.getByText(/memories on \d+ days/).waitFor();
  await shoot(page, 'memories-calendar');
  await expectAccessible(page);
});

it('shows what the memories are about on a map, to read and to open', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/memories?show=map');
  const canvas = page.locator('canvas').first();
  await canvas.waitFor();
  await shoot(page, 'memories-map');
  await expectAccessible(page);
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

it('shows a memory with its history, archives it and brings it back', async () => {
  const visitor = await dashboard.visitor();
  const { page, agent } = visitor;
  const { memory } = await agent.remember({
    type: 'semantic',
    content: 'Deploys are frozen on Fridays; Maya approves exceptions.',
    tags: ['deploy'],
  });
  await agent.update({
    id: memory.id,
    content: 'Deploys are frozen on Fridays and before holidays; Maya or Priya approve exceptions.',
    importance: 0.9,
  });
  await page.goto(`/memories/${memory.id}`);
  await page.locator('ins', { hasText: 'and before holidays' }).waitFor();
  await page.getByText('importance: 0.5 → 0.9').waitFor();
  await shoot(page, 'memory');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Archive it' }).waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Archive it' }).click();
  await page.getByText('This memory is archived').waitFor();
  await shoot(page, 'memory-archived');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'All memories' }).click();
  await page.getByText('Archived', { exact: true }).click();
  await page.getByText('Maya or Priya').waitFor();
  await shoot(page, 'memories-archived');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Nothing is archived').waitFor();
  expect((await agent.get({ id: memory.id })).memory.archived_at).toBeUndefined();
  await page.goto('/memories/00000000-0000-7000-8000-000000000000');
  await page.getByText('There is no such memory').waitFor();
  const dark = await dashboard.windowOf(visitor, { colors: 'dark', size: 'phone' });
  await dark.goto(`/memories/${memory.id}`);
  await dark.locator('ins').first().waitFor();
  await shoot(dark, 'memory-dark-phone');
  await expectAccessible(dark);
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
