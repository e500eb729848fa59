import { expect, it } from 'vitest';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('shows the overdue first, and lets the human add, move, finish and take back', async () => {
  const { page, agent } = await dashboard.visitor();
  const soon = new Date(Date.now() + 2 * 86_400_000).toISOString();
  await agent.createScheduleItem({ title: 'Write to Priya', due_at: soon });
  await agent.createScheduleItem({ title: 'Renew the certificate', due_at: '2026-01-01' });
  await agent.createWipItem({ title: 'Release notes', note: 'Half of them are there.' });
  await page.goto('/agenda');
  await page.getByText('1 overdue').waitFor();
  const first = page.locator('main li').first();
  expect(await first.textContent()).toContain('Renew the certificate');
  await shoot(page, 'agenda');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Move or change: Renew the certificate' }).click();
  await page.getByRole('menuitem', { name: 'A day later' }).click();
  await page.getByText('It is moved.').waitFor();
  await page.getByText('1 overdue').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 overdue').waitFor();

  await first.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await page.getByRole('button', { name: 'Take up again' }).click();
  await page.getByText('1 overdue').waitFor();

  await page.getByRole('button', { name: 'Schedule something' }).click();
  await page.getByLabel('What').fill('Water the plants');
  // Neither a click beside the dialog nor Escape loses what was typed.
  await page.mouse.click(5, 5);
  await page.keyboard.press('Escape');
  expect(await page.getByLabel('What').inputValue()).toBe('Water the plants');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Schedule it' }).click();
  await page.locator('main').getByText('Water the plants').waitFor();
  const { items } = await agent.scheduleItems({ status: 'scheduled' });
  expect(items.map(({ title }) => title)).toEqual([
    'Renew the certificate',
    'Water the plants',
    'Write to Priya',
  ]);
  expect(items[1]?.source.kind).toBe('human');
});

it('says at once what comes of a fifth action, while what four before it came to is still shown', async () => {
  const { page, agent } = await dashboard.visitor();
  const titles = [
    'Renew the certificate',
    'Rotate the keys',
    'Water the plants',
    'Write to Priya',
    'Call the bank',
  ];
  for (const [day, title] of titles.entries()) {
    await agent.createScheduleItem({ title, due_at: `2030-01-0${day + 1}` });
  }
  await page.goto('/agenda');
  await page.getByText('Renew the certificate').waitFor();
  const notifications = page.locator('.mantine-Notification-root');
  const open = page.getByRole('button', { name: 'Done', exact: true });
  // A click by script moves no focus.
  const finishFirst = () => open.first().dispatchEvent('click');
  await finishFirst();
  // The next click is to be on another one.
  await expect.poll(() => open.count()).toBe(4);
  const oldest = page.getByRole('button', { name: 'Undo' }).first();
  await oldest.focus();
  for (const left of [3, 2, 1]) {
    await finishFirst();
    await expect.poll(() => open.count()).toBe(left);
  }
  await expect.poll(() => notifications.count()).toBe(3);
  // The oldest of them stays, as somebody is about to press its button.
  expect(await oldest.evaluate('document.activeElement.textContent')).toContain('Undo');
  await page.getByRole('button', { name: 'Move or change: Call the bank' }).dispatchEvent('click');
  await page.getByRole('menuitem', { name: 'A day later' }).dispatchEvent('click');
  await page.getByText('It is moved.').waitFor({ timeout: 10_000 });
  await expect.poll(() => notifications.count()).toBe(3);
});

it('finds pages, things to do and memories with Ctrl+K, and counts what waits', async () => {
  const visitor = await dashboard.visitor({ colors: 'dark' });
  const { page, agent } = visitor;
  await agent.remember({ type: 'semantic', content: 'The rollback script is ops/rollback.sh.' });
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.keyboard.press('Control+k');
  // What is typed before the field has the focus goes to the page.
  const field = page.locator('input[aria-label="Find anything"]:focus');
  await field.waitFor();
  await page.keyboard.type('rollback script');
  await page.getByRole('dialog').getByText('ops/rollback.sh').waitFor();
  await shoot(page, 'palette-dark');
  await expectAccessible(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/memories/0*');
  await field.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.type('add a work');
  await page.getByText('Add a work in progress').waitFor();
  await page.keyboard.press('Enter');
  await page.getByLabel('Where it stands').waitFor();
  expect(await page.title()).toBe('Agenda · Agent Memory');
});

it('shows what was asked of the memory, what came back, and why', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({
    type: 'semantic',
    content: 'Deploys are frozen on Fridays; Maya approves exceptions.',
  });
  await agent.recall({ query: 'who approves a deploy on a Friday?' });
  await page.goto('/recalls');
  const entry = page.getByRole('button', { name: /who approves a deploy/ });
  await entry.waitFor();
  expect(await entry.textContent()).toMatch(/1 memory, best \d+ %your agent\d+ ms/);
  await entry.click();
  await page.getByText('Maya approves exceptions').waitFor();
  await page.getByRole('button', { name: 'Ask again, and explain' }).click();
  await page
    .getByText(/^word: /)
    .first()
    .waitFor();
  await shoot(page, 'recalls');
  await expectAccessible(page);
  await page
    .getByRole('link', { name: /Maya approves/ })
    .first()
    .click();
  await page.waitForURL('**/memories/0*');
});

it('says at an unknown address that there is no such page', async () => {
  const { page } = await dashboard.visitor();
  const answer = await page.goto('/no/such/page');
  expect(answer?.status()).toBe(404);
  await page.getByText('There is no such page').waitFor();
  await shoot(page, 'not-found');
  await page.getByRole('link', { name: 'To the overview' }).click();
  await page.getByText('Connect your agent').waitFor();
});

/** The last and the first time zone to see a day. At each moment one of them has another day than UTC. */
const EDGES = ['Etc/GMT+12', 'Pacific/Kiritimati'];

it.each(EDGES)('shows a day to remember on that day, and changes it as a day, in %s', async (timeZone) => {
  const { page, agent } = await dashboard.visitor({ timeZone });
  await agent.remember({ type: 'semantic', content: 'Maya likes plums.' });
  const today = new Intl.DateTimeFormat('sv', { timeZone }).format(Date.now());
  const { item } = await agent.createScheduleItem({ title: 'Birthday of Maya', due_at: today });
  const read = async () => (await agent.scheduleItem({ id: item.id })).item;
  await page.goto('/agenda');
  const line = page.locator('main li', { hasText: 'Birthday of Maya' });
  await line.getByText('today', { exact: true }).waitFor();
  await follow(page, '/');
  await page
    .locator('main li', { hasText: 'Birthday of Maya' })
    .getByText('today', { exact: true })
    .waitFor();

  await follow(page, '/agenda');
  await line.getByRole('button', { name: /^Move or change/ }).click();
  await page.getByRole('menuitem', { name: 'Change …' }).click();
  const when = page.getByRole('dialog').getByLabel('When');
  expect(await when.inputValue()).toBe(today);
  await when.fill('2031-05-03');
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByText('It is changed.').waitFor();
  expect(await read()).toMatchObject({ due_at: '2031-05-03T00:00:00.000Z', whole_day: true });
  await line.getByRole('button', { name: /^Move or change/ }).click();
  await page.getByRole('menuitem', { name: 'A day later' }).click();
  await page.getByText('It is moved.').waitFor();
  expect(await read()).toMatchObject({ due_at: '2031-05-04T00:00:00.000Z', whole_day: true });
});

it('moves an appointment to the same time of a later day, also over a change of the clocks', async () => {
  const { page, agent } = await dashboard.visitor({ timeZone: 'America/New_York' });
  // Nine in the morning, the day before the clocks go forward.
  const { item } = await agent.createScheduleItem({ title: 'Stand-up', due_at: '2031-03-08T14:00:00Z' });
  await page.goto('/agenda');
  await page.getByRole('button', { name: 'Move or change: Stand-up' }).click();
  await page.getByRole('menuitem', { name: 'A day later' }).click();
  await page.getByText('It is moved.').waitFor();
  expect((await agent.scheduleItem({ id: item.id })).item.due_at).toBe('2031-03-09T13:00:00.000Z');
});
