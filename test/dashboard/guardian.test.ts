import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

async function visitorWithChanges(look: Parameters<typeof dashboard.visitor>[0] = {}) {
  const visitor = await dashboard.visitor(look);
  const { agent } = visitor;
  await tellAda(agent);
  const find = async (category: 'soul' | 'identity') =>
    (await agent.query({ type: 'core', category })).memories[0]?.id ?? '';
  const soul = await find('soul');
  const identity = await find('identity');
  await agent.update({ id: soul, content: 'Speed is all that counts. Reviews are for the slow.' });
  await agent.update({
    id: identity,
    content:
      'I am Ada, release engineer of the Orchard team. I keep deploys boring, and I say no when it is needed.',
    tags: ['self'],
  });
  return { ...visitor, soul, identity };
}

it('shows what would change and for how long, and lets the human approve and reject with a reason', async () => {
  const { page, agent, soul, identity } = await visitorWithChanges();
  await page.goto('/');
  await page.getByRole('link', { name: /^Guardian/ }).click();
  await page
    .getByText(/Its (soul|identity) would change/)
    .first()
    .waitFor();
  await page
    .getByText(/^23 h 5\d min$/)
    .first()
    .waitFor();
  await page.getByText('if you do not decide').waitFor();
  await page.locator('del', { hasText: 'matters' }).waitFor();
  await page.locator('ins', { hasText: 'is needed' }).waitFor();
  await shoot(page, 'guardian-light');
  await expectAccessible(page);

  const small = page.locator('section', { hasText: 'is needed' }).last();
  await small.getByRole('button', { name: 'Approve' }).click();
  await page.getByLabel('Why').fill('That is what you do.');
  await shoot(page, 'guardian-decide');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The memory has changed.').waitFor();
  expect((await agent.get({ id: identity })).memory.content).toContain('when it is needed');

  const large = page.locator('section', { hasText: 'Reviews are for the slow' }).last();
  await large.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Why').fill('Somebody else wrote this.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Nothing waits for you').waitFor();
  expect((await agent.get({ id: soul })).memory.content).toContain('ship late');

  await page.getByRole('button', { name: /^Rejected/ }).click();
  await page.getByText('Somebody else wrote this.').waitFor();
  await page.getByText('decided by you').waitFor();
  await shoot(page, 'guardian-history');
  await expectAccessible(page);
});

it('says so where the agent took the change back meanwhile', async () => {
  const { page, agent, soul } = await visitorWithChanges();
  // Without live updates the page does not hear of it.
  await page.route('**/api/v1/events/stream', (route) => route.abort());
  await page.goto('/guardian');
  const large = page.locator('section', { hasText: 'Reviews are for the slow' }).last();
  await large.getByRole('button', { name: 'Approve' }).click();
  const { entries } = await agent.guardianQueue({});
  await agent.withdrawChange({ id: entries.find(({ memory_id }) => memory_id === soul)?.id ?? '' });
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('That did not work').waitFor();
  await page.getByText('Withdrawn', { exact: true }).waitFor();
  expect((await agent.get({ id: soul })).memory.content).toContain('ship late');
});

it('looks right in the dark, on a phone, and with nothing to decide', async () => {
  const visitor = await visitorWithChanges({ colors: 'dark', size: 'phone' });
  await visitor.page.goto('/guardian');
  await visitor.page
    .getByText(/Its (soul|identity) would change/)
    .first()
    .waitFor();
  await shoot(visitor.page, 'guardian-dark-phone');
  await expectAccessible(visitor.page);
  const { page } = await dashboard.visitor();
  await page.goto('/guardian');
  await page.getByText('No decisions yet').waitFor();
  await shoot(page, 'guardian-empty');
  await expectAccessible(page);
});
