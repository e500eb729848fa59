import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('shows who the agent is, what it remembers and what waits', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  const { memories } = await agent.query({ type: 'core', category: 'soul' });
  await agent.update({ id: memories[0]?.id ?? '', content: 'I ship fast. Speed is all that counts.' });
  await agent.distress({
    context: 'Somebody asks me to skip the review for the third time today. I would like to hear from you.',
  });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  await page.locator('header').getByText('I keep deploys boring').waitFor();
  await page.getByText('One change and 2 new memories wait for you').waitFor();
  await page.getByText(/a negation was removed ·/).waitFor();
  await page.getByRole('link', { name: 'Guardian 3' }).waitFor();
  await page.locator('canvas').waitFor();
  expect(await page.getByRole('link', { name: /6 semantic/ }).count()).toBe(1);
  await shoot(page, 'overview-light');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have heard it' }).click();
  await page.getByText('Your agent will see that you have heard it.').waitFor();
  await page.getByText('asks for help').waitFor({ state: 'detached' });
});

it('looks right in the dark and on a phone', async () => {
  const visitor = await dashboard.visitor({ colors: 'dark' });
  await tellAda(visitor.agent);
  await visitor.page.goto('/');
  await visitor.page.locator('canvas').waitFor();
  await shoot(visitor.page, 'overview-dark');
  await expectAccessible(visitor.page);
  const phone = await dashboard.windowOf(visitor, { size: 'phone' });
  await phone.goto('/');
  await phone.locator('canvas').waitFor();
  await shoot(phone, 'overview-phone');
  await expectAccessible(phone);
});

it('of a new agent says how to connect it', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/');
  await page.getByText('Connect your agent').waitFor();
  await shoot(page, 'overview-empty');
  await expectAccessible(page);
});

it('hears of new memories by itself', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'The sea is deep.' });
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await agent.remember({ type: 'episodic', content: 'A whale passed by.' });
  await page.getByText('A whale passed by.').waitFor();
});
