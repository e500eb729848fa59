import { expect, it } from 'vitest';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

const HOSTILE = '<img src=x onerror=alert(1)> "u1"';

it('lists the users of the agent, shows what is known of one, and forgets them with a receipt', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
  await agent.remember({ type: 'semantic', content: 'Ada rides a bicycle.', user_id: HOSTILE });
  await agent.remember({ type: 'semantic', content: 'Bert takes the tram.', user_id: 'u10' });
  await page.goto('/people');
  const line = page.locator('main li', { hasText: HOSTILE });
  await line.waitFor();
  expect(await line.textContent()).toContain('1 memory');
  await line.getByRole('button', { name: 'What is known' }).click();
  await line.getByText('Ada rides a bicycle.').waitFor();
  expect(await line.textContent()).not.toMatch(/Bert|desk/);
  await shoot(page, 'people');
  await expectAccessible(page);

  await line.getByRole('button', { name: 'Forget' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.getByText('Nothing is stored about').waitFor();
  await expectAccessible(page);
  const { download } = await page
    .getByRole('link', { name: 'Download the receipt' })
    .evaluate((link: { getAttribute(name: string): string | null }) => ({
      download: link.getAttribute('download'),
    }));
  expect(download).toMatch(/^receipt-[0-9a-f-]{36}\.json$/);
  // The receipt is shown once: neither a click beside it nor Escape takes it away.
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await line.waitFor({ state: 'detached' });
  expect((await agent.users()).users.map(({ id }) => id)).toEqual(['u10']);
});

it('says how users come when there are none', async () => {
  const { page } = await dashboard.visitor({ colors: 'dark' });
  await page.goto('/people');
  await page.getByText('Nobody yet').waitFor();
  await expectAccessible(page);
});
