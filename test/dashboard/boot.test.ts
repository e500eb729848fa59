import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, SIZES, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

/** The parts of the legend in which a text lies over another. */
const overlaps = `[...document.querySelectorAll('main li')]
  .filter((part) => {
    const texts = [...part.children].map((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      return [...range.getClientRects()].filter(({ width }) => width > 0);
    });
    return texts.some((one, index) => texts.slice(index + 1).flat().some((b) => one.some((a) =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 4 && b.top < a.bottom - 4)));
  })
  .map((part) => part.textContent)`;

it('shows the exact injection and how its budget is spent, and tries settings before they are saved', async () => {
  const { page, agent, context } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/');
  await page.getByRole('link', { name: 'Boot' }).click();
  const text = page.getByLabel('Boot injection');
  await text.getByText('I keep deploys boring').waitFor();
  const { injection } = await agent.boot({ preview: true });
  const withoutClock = (value: string) => value.replace(/- Now: .*/, '').trim();
  expect(withoutClock((await text.textContent()) ?? '')).toBe(withoutClock(injection));
  await page.getByRole('listitem').filter({ hasText: 'Recent episodes' }).getByText('10 entries').waitFor();
  await shoot(page, 'boot-light');
  await expectAccessible(page);

  // A word of another part lies over none of the legend, also on the smallest phone, and paper holds the whole text.
  await page.setViewportSize({ width: 280, height: 640 });
  expect(await page.evaluate(overlaps)).toEqual([]);
  await page.emulateMedia({ media: 'print' });
  expect(await text.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)).toBe(0);
  expect(
    await page
      .locator('button:not(.mantine-Accordion-control), [role=slider]')
      .filter({ visible: true })
      .count(),
  ).toBe(0);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(SIZES.desktop);

  await page.getByRole('slider', { name: 'Recent episodes' }).focus();
  for (let press = 0; press < 2; press += 1) await page.keyboard.press('ArrowLeft');
  await page.getByText('Not saved yet').waitFor();
  await page.getByRole('listitem').filter({ hasText: 'Recent episodes' }).getByText('5 of 10').waitFor();
  expect((await agent.bootConfig()).boot_config.episodic_limit).toBe(20);
  await page.getByRole('slider', { name: 'Token budget' }).focus();
  for (let press = 0; press < 3; press += 1) await page.keyboard.press('ArrowLeft');
  await page.getByText(/of 512 tokens$/).waitFor();
  await shoot(page, 'boot-tried');
  // What is saved elsewhere meanwhile leaves alone what is tried here.
  const other = await context.newPage();
  await other.goto('/boot');
  await other.getByRole('slider', { name: 'Length of an entry' }).focus();
  await other.keyboard.press('ArrowLeft');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('It holds from the next boot on').waitFor();
  await other.close();
  await page.locator('output', { hasText: '300 characters' }).waitFor();
  await page.getByText(/of 512 tokens$/).waitFor();
  await page.getByText('Not saved yet').waitFor();
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('slider', { name: 'Recent episodes' }).focus();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('It holds from the next boot on').waitFor();
  expect((await agent.bootConfig()).boot_config).toEqual({
    token_budget: 4000,
    episodic_limit: 10,
    truncate_at: 300,
  });
});

it('looks right in the dark, on a phone, for a new agent', async () => {
  const { page } = await dashboard.visitor({ colors: 'dark', size: 'phone' });
  await page.goto('/boot');
  await page.getByLabel('Boot injection').waitFor();
  await shoot(page, 'boot-dark-phone');
  await expectAccessible(page);
});

it('says when the service is away, and goes on when it is back', async () => {
  const { page } = await dashboard.visitor();
  await page.route('**/api/v1/boot-config', (route) => route.abort());
  await page.goto('/boot');
  await page.getByText('The service cannot be reached').first().waitFor();
  await page.unroute('**/api/v1/boot-config');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByLabel('Boot injection').waitFor();
});
