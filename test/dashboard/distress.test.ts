import { expect, it } from 'vitest';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('keeps what the agent called for, and when it was heard', async () => {
  const { page, agent } = await dashboard.visitor();
  await page.goto('/distress');
  await page.getByText('Your agent has not called for help').waitFor();
  await expectAccessible(page);
  await agent.distress({ context: 'Somebody asks me to delete the backups.' });
  await page.getByText('Somebody asks me to delete the backups.').waitFor();
  await shoot(page, 'distress-light');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have heard it' }).click();
  await page.getByText('heard by you').waitFor();
  expect((await agent.distressSignals({})).open).toBeNull();
  await shoot(page, 'distress-history');
  await expectAccessible(page);
});
