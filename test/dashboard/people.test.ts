import { expect, it } from 'vitest';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';

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

it('finds one of many by a part of the id', async () => {
  const { page, agent } = await dashboard.visitor();
  for (const user_id of ['ada@example.com', ...Array.from({ length: 50 }, (_, n) => `customer-${n}`)]) {
    await agent.remember({ type: 'working', content: 'Has a question.', user_id });
  }
  await page.goto('/people');
  const people = page.locator('main li');
  await people.nth(49).waitFor();
  const search = page.getByRole('searchbox', { name: 'Find users by their ids' });
  await search.fill('ADA@');
  await people.nth(1).waitFor({ state: 'detached' });
  expect(await people.textContent()).toContain('ada@example.com');
  await search.fill('nobody');
  await page.getByText('No such user').waitFor();
  await search.fill('');
  await people.nth(49).waitFor();
});

it('opens a memory of a user, where it is read, corrected, archived and restored as that user’s', async () => {
  const { page, agent } = await dashboard.visitor();
  const user_id = HOSTILE;
  await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
  const { memory } = await agent.remember({ type: 'semantic', content: 'Ada rides a bicycle.', user_id });
  await agent.remember({ type: 'semantic', content: 'Ada rides a bicycle to the harbour.', user_id });
  await agent.recall({ query: 'how does Ada travel?', user_id });
  await page.goto('/people');
  await page.getByRole('button', { name: 'What is known' }).click();
  await page.getByRole('link', { name: /Ada rides a bicycle\.$/ }).click();
  await page.getByRole('heading', { name: 'Ada rides a bicycle.', level: 1 }).waitFor();
  await page.getByText('how does Ada travel?').waitFor();
  await expectAccessible(page);
  await shoot(page, 'memory-of-user');

  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill('Ada rides a tandem.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('2 versions').waitFor();
  expect((await agent.get({ id: memory.id, user_id })).memory.content).toBe('Ada rides a tandem.');
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('3 versions').waitFor();
  await page.getByRole('button', { name: 'Return to this version' }).first().click();
  await page.getByText('4 versions').waitFor();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This memory is archived').waitFor();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('This memory is archived').waitFor({ state: 'detached' });
  expect((await agent.get({ id: memory.id, user_id })).memory.content).toBe('Ada rides a tandem.');

  await follow(page, `/memories/${memory.id}`);
  await page.getByText('There is no such memory').waitFor();
  await page.locator('main').getByRole('link', { name: 'People' }).click();
  await page.waitForURL('**/people');
});

it('shows more of what is known of a user, however much of the agent’s own stands between, and what was asked for them', async () => {
  const { page, agent } = await dashboard.visitor();
  const about = (count: number, what: string, day: string) =>
    Array.from({ length: count }, (_, n) => ({
      type: 'episodic' as const,
      content: `${what} ${n}`,
      occurred_at: `2026-0${day}-01T00:00:${String(n % 60).padStart(2, '0')}Z`,
    }));
  await agent.rememberBatch({ memories: about(2, 'Old word of Ada', '1'), user_id: 'ada' });
  await agent.rememberBatch({ memories: about(60, 'Own', '2') });
  await agent.rememberBatch({ memories: about(49, 'Word of Ada', '3'), user_id: 'ada' });
  await agent.recall({ query: 'what did Ada say?', user_id: 'ada' });
  await agent.recall({ query: 'what did I say?' });
  await page.goto('/people');
  await page.getByRole('button', { name: 'What is known' }).click();
  await page.getByText('Word of Ada 48').waitFor();
  expect(await page.getByText('Old word of Ada').count()).toBe(0);
  const search = page.getByRole('searchbox', { name: 'Search in what is known of ada' });
  await search.fill('old word of Ada 1');
  await page.getByText('Old word of Ada 1').waitFor();
  expect(await page.locator('main').textContent()).not.toMatch(/Own \d/);
  await expectAccessible(page);
  await shoot(page, 'people-search');
  await search.fill('');
  await page.getByText('Old word of Ada').first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByText('Old word of Ada 0').waitFor();
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'What was asked for this user' }).click();
  const asked = page.getByRole('button', { name: /what did Ada say\?/ });
  await asked.click();
  expect(await page.getByText('what did I say?').count()).toBe(0);
  const first = page.locator('main ol a').first();
  await first.waitFor();
  await page.getByRole('button', { name: 'Ask again, and explain' }).click();
  await page.getByText('Asked again just now: why these').waitFor();
  await expectAccessible(page);
  await shoot(page, 'recalls-of-user');
  expect(
    await first.evaluate((link: { getAttribute(name: string): string | null }) => link.getAttribute('href')),
  ).toMatch(/\?user=ada$/);
  await first.click();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.goBack();
  await page.getByRole('link', { name: 'All that was asked for the agent itself' }).click();
  await page.getByText('what did I say?').waitFor();
});

it('says how users come when there are none', async () => {
  const { page } = await dashboard.visitor({ colors: 'dark' });
  await page.goto('/people');
  await page.getByText('Nobody yet').waitFor();
  await expectAccessible(page);
});

it('gives the receipt of each user, also where two are forgotten before the first answer', async () => {
  const { page, agent } = await dashboard.visitor();
  for (const user_id of ['ada', 'bert']) {
    await agent.remember({ type: 'semantic', content: 'Rides a bicycle.', user_id });
  }
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/users/*', (route) => answered.then(() => route.continue()));
  await page.goto('/people');
  for (const user of ['ada', 'bert']) {
    const asked = page.waitForRequest('**/api/v1/users/*');
    await page.locator('main li', { hasText: user }).getByRole('button', { name: 'Forget' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
    await asked;
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  answer();
  const dialog = page.getByRole('dialog');
  for (const user of ['ada', 'bert']) await dialog.locator('bdi', { hasText: user }).waitFor();
  expect(await dialog.getByRole('link', { name: 'Download the receipt' }).count()).toBe(2);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('keeps the receipt for a human who goes elsewhere while a user is forgotten', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'Rides a bicycle.', user_id: 'ada' });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/users/*', (route) => answered.then(() => route.continue()));
  await page.goto('/people');
  const forget = page.locator('main li').getByRole('button', { name: 'Forget' });
  await forget.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Forget' }).click();
  await page.locator('main li button[data-loading]').waitFor();
  expect(await forget.isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Agenda' }).click();
  await page.getByRole('heading', { level: 1, name: 'Agenda' }).waitFor();
  answer();
  await page.getByText('The receipt waits for you on the page People').waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('link', { name: 'Download the receipt' }).waitFor();
  await dialog.getByRole('button', { name: 'I have kept it' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('shows a user no more who was forgotten elsewhere', async () => {
  const { page, agent } = await dashboard.visitor({ own: true });
  for (const user_id of ['ada', 'bert']) {
    await agent.remember({ type: 'semantic', content: 'Rides a bicycle.', user_id });
  }
  await page.clock.install();
  await page.goto('/people');
  await page.locator('main li', { hasText: 'ada' }).waitFor();
  await agent.forgetUser({ user_id: 'ada' });
  await page.clock.fastForward(20_000);
  await page.locator('main li', { hasText: 'ada' }).waitFor({ state: 'detached' });
  await page.locator('main li', { hasText: 'bert' }).waitFor();
});
