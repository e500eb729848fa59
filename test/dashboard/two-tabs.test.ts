import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();
const FRIDAYS = 'Deploys are frozen on Fridays; Maya approves exceptions.';

/** Opens a memory in the editor. */
async function edit(page: Page, id: string): Promise<void> {
  await page.goto(`/memories/${id}`);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').waitFor();
}

it('two windows that correct one memory lose nothing of each other', async () => {
  const { page, context, agent } = await dashboard.visitor({ size: 'small', own: true });
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS, tags: ['deploy'] });
  const read = async () => (await agent.get({ id: memory.id })).memory;
  const other = await context.newPage();
  await other.clock.install();
  await edit(page, memory.id);
  await page.getByLabel('What it says').fill('Deploys are never frozen.');
  await edit(other, memory.id);
  await other.getByLabel('What it says').fill('Deploys are frozen in December.');
  await other.getByRole('combobox', { name: 'Tags' }).fill('winter');
  await other.keyboard.press('Enter');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Corrected.').waitFor();
  // It stays there as long as it has the focus.
  await other.getByRole('button', { name: 'Undo' }).focus();
  await other.clock.fastForward('05:00');

  await page.getByText('Somebody has changed it since you began').waitFor();
  await page.getByRole('alert').locator('ins', { hasText: 'December' }).waitFor();
  await page.getByRole('alert').getByText('tags: deploy → deploy, winter').waitFor();
  await shoot(page, 'two-tabs-edit-small');
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('That did not work').waitFor();
  expect(await read()).toMatchObject({
    content: 'Deploys are frozen in December.',
    tags: ['deploy', 'winter'],
  });
  expect(await page.getByLabel('What it says').inputValue()).toBe('Deploys are never frozen.');

  await page.getByRole('button', { name: 'Go on from there' }).click();
  await page.getByText('Somebody has changed it since you began').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect(await read()).toMatchObject({ content: 'Deploys are never frozen.', tags: ['deploy', 'winter'] });

  // What the first window did is not the last change any more.
  await other.getByText('Deploys are never frozen.').first().waitFor();
  await other.getByRole('button', { name: 'Undo' }).click();
  await other.getByText('That did not work').waitFor();
  expect((await read()).content).toBe('Deploys are never frozen.');
});

it('what is typed stays when the memory is archived elsewhere, and is saved once it is back', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  const other = await context.newPage();
  await edit(page, memory.id);
  await page.getByLabel('What it says').fill('Deploys are never frozen.');
  await other.goto(`/memories/${memory.id}`);
  await other.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This memory is archived', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('That did not work').waitFor();
  expect(await page.getByLabel('What it says').inputValue()).toBe('Deploys are never frozen.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('This memory is archived', { exact: true }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Go on from there' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect((await agent.get({ id: memory.id })).memory.content).toBe('Deploys are never frozen.');
  await other.getByText('Deploys are never frozen.').first().waitFor();
});

it('what is typed stays when the agent asks for a change of the same memory', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  const [{ id } = { id: '' }] = (await agent.query({ type: 'core', category: 'soul', limit: 1 })).memories;
  await edit(page, id);
  await page.getByLabel('What it says').fill('I take my time.');
  await agent.update({ id, content: 'I ship fast. Speed is all that counts.' });
  await page.getByText('A change to this memory waits for you').waitFor();
  expect(await page.getByLabel('What it says').inputValue()).toBe('I take my time.');
});

it('an approval is taken back only while nobody has changed the memory since', async () => {
  const { page, context, agent } = await dashboard.visitor();
  await tellAda(agent);
  const [{ id } = { id: '' }] = (await agent.query({ type: 'core', category: 'soul', limit: 1 })).memories;
  await agent.update({ id, content: 'I check twice before I ship, and I write it down.' });
  const other = await context.newPage();
  await page.goto('/guardian');
  await page.getByRole('button', { name: 'Approve' }).first().click();
  await page.getByLabel('Why').waitFor();
  const name = page.getByLabel('To approve this, type the name');
  if ((await name.count()) > 0) await name.fill('Ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  const undo = page.getByRole('button', { name: 'Undo' });
  await undo.focus();
  await edit(other, id);
  await other.getByLabel('What it says').fill('I take my time.');
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('Corrected.').waitFor();
  await undo.click();
  await page.getByText('That did not work').waitFor();
  expect((await agent.get({ id })).memory.content).toBe('I take my time.');
});

it('a date that another window has moved stays there when only its words are changed', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const { item } = await agent.createScheduleItem({
    title: 'Renew the certificate',
    due_at: '2030-01-01T09:00:30Z',
  });
  const read = async () => (await agent.scheduleItem({ id: item.id })).item;
  const other = await context.newPage();
  for (const one of [page, other]) {
    await one.goto('/agenda');
    await one.getByRole('button', { name: 'Move or change: Renew the certificate' }).click();
  }
  await page.getByRole('menuitem', { name: 'Change …' }).click();
  await page.getByRole('dialog').getByLabel('What').fill('Renew both certificates');
  await other.getByRole('menuitem', { name: 'A week later' }).click();
  await other.getByText('It is moved.').waitFor();
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByText('It is changed.').waitFor();
  expect(await read()).toMatchObject({
    title: 'Renew both certificates',
    due_at: '2030-01-08T09:00:30.000Z',
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It is as it was.').waitFor();
  expect(await read()).toMatchObject({ title: 'Renew the certificate', due_at: '2030-01-08T09:00:30.000Z' });
});

it('a window shows the human who has signed in by another window of the browser', async () => {
  const { page, context, agent, email } = await dashboard.visitor();
  const stranger = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: FRIDAYS });
  await page.goto('/memories');
  await page.getByText(FRIDAYS).waitFor();
  const other = await context.newPage();
  await other.goto('/sign-in');
  await other.getByLabel('E-mail').fill(stranger.email);
  await other.locator('input[type=password]').fill(PASSWORD);
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.getByText('Connect your agent').waitFor();

  await page.getByRole('button', { name: new RegExp(stranger.email) }).waitFor();
  await page.getByText('No memories yet').waitFor();
  const shown = await page.content();
  expect([shown.includes(FRIDAYS), shown.includes(email)]).toEqual([false, false]);
});
