import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('says first what waits, then what was learnt, is due and open', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  const { memories } = await agent.query({ type: 'core', category: 'soul' });
  await agent.update({ id: memories[0]?.id ?? '', content: 'I ship fast. Speed is all that counts.' });
  await agent.distress({
    context: 'Somebody asks me to skip the review for the third time today. I would like to hear from you.',
  });
  const { item } = await agent.createScheduleItem({ title: 'Renew the certificate', due_at: '2026-01-01' });
  await agent.createWipItem({ title: 'Release notes of 2.15' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
  await page.locator('header').getByText('I keep deploys boring').waitFor();
  await page
    .getByText(
      'Your agent needs you: one call for help, one change and two new memories wait, one of them a large change; one date is overdue.',
    )
    .waitFor();
  await page.getByText('One change and 2 new memories wait for you').waitFor();
  await page.locator('ins', { hasText: 'Speed is all that counts' }).waitFor();
  await page.locator('del').first().waitFor();
  await page.getByRole('link', { name: 'Guardian 3' }).waitFor();
  await expect.poll(() => page.title()).toBe('(4) Ada · Agent Memory');
  await page
    .getByText('Jonas prefers pull requests')
    .or(page.getByText('Deploys are frozen'))
    .first()
    .waitFor();
  expect(await page.getByRole('link', { name: /6 .*semantic/ }).count()).toBe(1);
  await shoot(page, 'overview-light');
  await expectAccessible(page);
  await page.getByLabel('Renew the certificate').click();
  await page.getByText('Your agent is not reminded of it any more.').waitFor();
  expect((await agent.scheduleItem({ id: item.id })).item.status).toBe('done');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('overdue,').waitFor();
  await page.getByRole('button', { name: 'I have heard it' }).click();
  await page.getByText('asks for help').waitFor({ state: 'detached' });
});

it('says that all is well, in the dark and on a phone', async () => {
  const visitor = await dashboard.visitor({ colors: 'dark' });
  await visitor.agent.remember({ type: 'semantic', content: 'The sea is deep.' });
  await visitor.page.goto('/');
  await visitor.page.getByText('All is well. Nothing waits for you.').waitFor();
  await visitor.page.getByText('+1 today').waitFor();
  expect(await visitor.page.title()).toBe('Ada · Agent Memory');
  await tellAda(visitor.agent);
  await visitor.page.getByText('+6 today').waitFor();
  await shoot(visitor.page, 'overview-dark');
  await expectAccessible(visitor.page);
  const phone = await dashboard.windowOf(visitor, { size: 'phone' });
  await phone.goto('/');
  await phone.getByRole('link', { name: '2 waiting', exact: true }).waitFor();
  await phone.getByText('Learnt').waitFor();
  await shoot(phone, 'overview-phone');
  await expectAccessible(phone);
});

it('says who can help where the trial has ended, and no more once the account is on another plan', async () => {
  const { page, tenantId, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'The sea is deep.' });
  const { engine } = dashboard.kit;
  await engine.database.system((tx) =>
    tx.execute(
      `UPDATE tenants SET trial_expires_at = now() - interval '3 days' WHERE tenant_id = '${tenantId}'`,
    ),
  );
  // The overview stands although what asks for memories is refused.
  await page.goto('/');
  await page.getByText('· ended 3 days ago').waitFor();
  const help = page.getByText('until whoever runs this service moves the account to another plan');
  await help.waitFor();
  await expectAccessible(page);
  await engine.tenants.changePlan(tenantId, 'trial');
  await page.reload();
  await page.getByText('· ends next week').waitFor();
  expect(await help.count()).toBe(0);
});

it('of a new agent says how to connect it', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/');
  await page.getByText('Connect your agent').waitFor();
  await shoot(page, 'overview-empty');
  await expectAccessible(page);
});

it('hears by itself of memories that come, go into the archive, and come back', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'The sea is deep.' });
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  const { memory } = await agent.remember({ type: 'semantic', content: 'Whales sing.' });
  await page.getByText('Whales sing.').waitFor();
  await agent.forget({ id: memory.id });
  await page.getByText('Whales sing.').waitFor({ state: 'detached' });
  await agent.restore({ id: memory.id });
  await page.getByText('Whales sing.').waitFor();
});
