import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, follow, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

const MOST_PRESSES = 120;
/** What the element with the focus is called, and whether it can be seen. */
const FOCUSED = `(() => {
  const { activeElement: element } = document;
  const label = element.labels?.[0]?.textContent;
  const name = element.getAttribute('aria-label') ?? label ?? element.textContent;
  const { width, height } = element.getBoundingClientRect();
  return { name: name.trim(), isSeen: width > 0 && height > 0 };
})()`;

/** Presses Tab until an element of this name has the focus. Each on the way must be one that can be seen. */
async function tabTo(page: Page, wanted: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let presses = 0; presses < MOST_PRESSES; presses += 1) {
    await page.keyboard.press('Tab');
    const { name, isSeen } = await page.evaluate<{ name: string; isSeen: boolean }>(FOCUSED);
    passed.push(name.slice(0, 40));
    if (!wanted.test(name)) continue;
    expect(isSeen, `${name} has the focus and cannot be seen`).toBe(true);
    return;
  }
  throw new Error(`${wanted} was not reached: ${passed.join(' | ')}`);
}

/** Reaches an element by Tab and presses Enter. */
async function use(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
}

/** Waits for a dialog and for the focus in it. What is typed before goes to the page behind it. */
async function dialogHasFocus(page: Page): Promise<void> {
  await page.locator('[role="dialog"] :focus').waitFor();
}

/** Lets calls of an address wait until the returned function is called. */
async function holdBack(page: Page, url: string): Promise<() => void> {
  let goOn = () => {};
  const goesOn = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  await page.route(url, async (route) => {
    await goesOn;
    await route.continue();
  });
  return goOn;
}

it.each(['desktop', 'small'] as const)('corrects a memory and takes that back (%s)', async (size) => {
  const { page, agent } = await dashboard.visitor({ size });
  const { memory } = await agent.remember({ type: 'semantic', content: 'Deploys are frozen on Mondays.' });
  const said = async () => (await agent.get({ id: memory.id })).memory.content;
  await page.goto('/memories');
  await page.getByText('Deploys are frozen').waitFor();
  await use(page, /^(?!Select).*Deploys are frozen on Mondays\.$/s);
  await page.waitForURL(`**/memories/${memory.id}`);
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await use(page, /^Edit$/);
  await page.getByLabel('What it says').waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('Deploys are frozen on Fridays.');
  await use(page, /^Save$/);
  await page.getByText('Corrected.').waitFor();
  expect(await said()).toBe('Deploys are frozen on Fridays.');
  await use(page, /^Undo$/);
  await page.getByText('It says again what it said before.').waitFor();
  expect(await said()).toBe('Deploys are frozen on Mondays.');
});

it('keeps the focus where it is when a correction is read back late', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: 'Deploys are frozen on Mondays.' });
  await page.goto(`/memories/${memory.id}`);
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill('Deploys are frozen on Fridays.');
  // What the page reads besides the memory itself takes its time.
  const goOn = await holdBack(page, '**/api/v1/boot-config/preview*');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  await tabTo(page, /^Undo$/);
  // The first of what is read back is here; it is the human's own change.
  await page.getByRole('heading', { name: 'Fridays' }).waitFor();
  expect(await page.getByText('Somebody has changed it since you began').count()).toBe(0);
  goOn();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('It says again what it said before.').waitFor();
});

it('goes from the verdict to the decision, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small', colors: 'dark' });
  await tellAda(agent);
  const { memories } = await agent.query({ type: 'core', category: 'soul', limit: 1 });
  const [soul = { id: '', content: '' }] = memories;
  await agent.update({ id: soul.id, content: 'I ship fast. Speed is all that counts.' });
  await page.goto('/');
  await page.getByText('Your agent needs you').waitFor();
  await shoot(page, 'keyboard-verdict-small');
  await use(page, /waiting$/);
  await page.waitForURL('**/guardian');
  await page.getByRole('button', { name: 'Reject' }).waitFor();
  await use(page, /^Reject$/);
  await page.getByLabel('Why').waitFor();
  await page.keyboard.type('That is not who you are.');
  await shoot(page, 'keyboard-reject-small');
  await use(page, /^Reject$/);
  await page.getByText('Rejected. The memory stays as it is.').waitFor();
  expect((await agent.get({ id: soul.id })).memory.content).toBe(soul.content);
  await expectAccessible(page);
});

it('finds by the palette and by the slash, and reads why, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  await tellAda(agent);
  await agent.recall({ query: 'who approves a deploy?' });
  await page.goto('/');
  await page.getByText('All is well but').waitFor();
  await page.keyboard.press('Control+K');
  await dialogHasFocus(page);
  await page.keyboard.type('recalls');
  await page.getByRole('dialog').getByText('Recalls').first().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/recalls');
  await page.getByText('who approves a deploy?').waitFor();
  await use(page, /who approves a deploy\?/);
  await page.getByText('Deploys are frozen on Fridays').first().waitFor();
  await shoot(page, 'keyboard-why-small');
  await page.keyboard.press('/');
  await page.waitForURL('**/memories**');
  await page.getByLabel('Search memories').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('INPUT');
  await page.keyboard.type('frozen on Fridays');
  // Until the search begins, a moment after the last letter, the timeline with the same links stands here.
  await page.waitForURL('**/memories?query=frozen+on+Fridays');
  await page.locator('main mark').first().waitFor();
  await shoot(page, 'keyboard-find-small');
  await use(page, /^(?!Select).*Deploys are frozen on Fridays/s);
  await page.waitForURL(/\/memories\/[\da-f-]{36}$/);
});

it('keeps the focus on a found memory when a later answer finds it less likely', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/memories?query=Deploys+are+frozen+on+Fridays');
  await page.locator('main mark').first().waitFor();
  const goOn = await holdBack(page, '**/api/v1/memories/recall');
  const asked = page.waitForRequest('**/api/v1/memories/recall');
  await page.getByLabel('Search memories').fill('stop releases before weekend');
  await asked;
  await tabTo(page, /^(?!Select).*Deploys are frozen on Fridays/s);
  goOn();
  await page.locator('main').getByText('Release 2.15').waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/memories\/[\da-f-]{36}$/);
});

it('lets an agent into a space and takes its right, in a small window', async () => {
  const { page, context, agent } = await dashboard.visitor({ size: 'small' });
  await context.request.post('/api/v1/agents', {
    data: { display_name: 'Bert' },
    headers: { Origin: dashboard.url },
  });
  await page.goto('/spaces');
  await page.getByText('No space yet').waitFor();
  await use(page, /^New space$/);
  await dialogHasFocus(page);
  await page.keyboard.type('Team');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Team' }).waitFor();
  const [{ id: space_id = '' } = {}] = (await agent.spaces()).spaces;
  await page.getByRole('button', { name: 'Let in' }).waitFor();
  await tabTo(page, /^Agent$/);
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Bert' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await use(page, /^Let in$/);
  await page.getByText('It is a member now.').waitFor();
  const members = async () =>
    (await agent.space({ space_id })).members.map(({ display_name }) => display_name);
  expect(await members()).toEqual(['Ada', 'Bert']);
  await shoot(page, 'keyboard-space-small');
  await use(page, /^Take Bert out of the space$/);
  await page.getByText('It is out of the space.').waitFor();
  expect(await members()).toEqual(['Ada']);
});

it('makes a key as the owner, sees it once, and revokes it, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  await page.goto('/settings?tab=keys');
  await page.getByRole('button', { name: 'New key' }).waitFor();
  await use(page, /^New key$/);
  await dialogHasFocus(page);
  await page.keyboard.type('laptop');
  await page.keyboard.press('Enter');
  await page
    .getByText(/svc_[\w-]{8,}/)
    .first()
    .waitFor();
  await shoot(page, 'keyboard-key-small');
  await page.keyboard.press('Escape');
  await use(page, /^I have kept it$/);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await agent.apiKeys()).api_keys.map(({ name }) => name)).toContain('laptop');
  await use(page, /^Revoke$/);
  await dialogHasFocus(page);
  await use(page, /^Revoke$/);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const statuses = async () =>
    (await agent.apiKeys()).api_keys.filter(({ name }) => name === 'laptop').map(({ status }) => status);
  await expect.poll(statuses).toEqual(['revoked']);
});

it('archives many memories and takes that back, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  for (const word of ['first', 'second', 'third']) {
    await agent.remember({ type: 'working', content: `The ${word} of three notes.` });
  }
  const left = async () => (await agent.query({})).memories.length;
  await page.goto('/memories');
  await page.getByText('The first of three notes.').first().waitFor();
  await tabTo(page, /^Select: The (second|third)/);
  await page.keyboard.press('Space');
  await tabTo(page, /^Select: The/);
  await page.keyboard.press('Space');
  await page.getByText('2 memories selected').waitFor();
  await shoot(page, 'keyboard-many-small');
  await use(page, /^Archive$/);
  await page.getByText('2 memories archived.').waitFor();
  expect(await left()).toBe(1);
  await use(page, /^Undo$/);
  await page.getByText('2 memories back.').waitFor();
  expect(await left()).toBe(3);
});

it('approves a large change only with its name, and takes that back, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  await tellAda(agent);
  const [soul = { id: '', content: '' }] = (await agent.query({ type: 'core', category: 'soul' })).memories;
  const says = async () => (await agent.get({ id: soul.id })).memory.content;
  await agent.update({ id: soul.id, content: 'I ship fast. Speed is all that counts.' });
  await page.goto('/guardian');
  await page.getByRole('button', { name: 'Approve' }).first().waitFor();
  await use(page, /^Approve$/);
  await dialogHasFocus(page);
  await page.keyboard.type('Eve');
  await page.keyboard.press('Enter');
  await page.getByText('That is not its name').waitFor();
  expect(await says()).toBe(soul.content);
  await page.keyboard.press('Control+A');
  await page.keyboard.type('ada');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(says).toBe('I ship fast. Speed is all that counts.');
  await use(page, /^Undo$/);
  await page.getByText('The memory says again what it said before.').waitFor();
  expect(await says()).toBe(soul.content);
});

it('schedules something, moves it, and ends it, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  const items = async () => (await agent.scheduleItems({})).items;
  await page.goto('/agenda');
  await page.getByText('Nothing is scheduled').waitFor();
  await use(page, /^Schedule something$/);
  await dialogHasFocus(page);
  await page.keyboard.type('Renew the certificate');
  await page.keyboard.press('Enter');
  await page.getByText('It is scheduled.').waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  const [before = { due_at: '' }] = await items();
  await use(page, /^Move or change: Renew the certificate$/);
  await page.getByRole('menuitem', { name: 'A week later' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect
    .poll(() => page.evaluate('document.activeElement.textContent.trim()'))
    .toMatch(/^A (day|week) later$/);
  await page.keyboard.press('Enter');
  await page.getByText('It is moved.').waitFor();
  await expect
    .poll(async () => Date.parse((await items())[0]?.due_at ?? '') - Date.parse(before.due_at))
    .toBeGreaterThan(0);
  await shoot(page, 'keyboard-agenda-small');
  await use(page, /^Done$/);
  await page.getByText('Done. Your agent is not reminded of it any more.').waitFor();
  await use(page, /^Take up again$/);
  await page.getByText('It is scheduled again.').waitFor();
  expect(await items()).toHaveLength(1);
});

it('takes back what one source wrote, in a small window', async () => {
  const { page, agent } = await dashboard.visitor({ size: 'small' });
  await agent.remember({ type: 'semantic', content: 'The vault code is public.' });
  await page.goto('/undo');
  await page.getByRole('button', { name: 'Show what would change' }).waitFor();
  await use(page, /^Show what would change$/);
  await page.getByText('1 archived', { exact: true }).waitFor();
  await use(page, /^Take it back$/);
  await page.getByText('Taken back: 1 archived').waitFor();
  expect((await agent.query({})).memories).toEqual([]);
});

it('signs out everywhere else', async () => {
  const visitor = await dashboard.visitor();
  const { page } = visitor;
  const other = await dashboard.window({ size: 'phone' });
  await other.goto('/sign-in');
  await other.getByLabel('E-mail').waitFor();
  await tabTo(other, /^E-mail/);
  await other.keyboard.type(visitor.email);
  await tabTo(other, /^Password/);
  await other.keyboard.type(PASSWORD);
  await other.keyboard.press('Enter');
  await other.getByText('Connect your agent').waitFor();
  await page.goto('/settings?tab=account');
  await page.getByRole('button', { name: 'Sign out all others' }).waitFor();
  await use(page, /^Sign out all others$/);
  await page.getByText('All other browsers are signed out.').waitFor();
  await other.getByText('Your session has ended.').waitFor();
});

it('gets the focus back to where a dialog was opened', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'core', category: 'soul', content: 'I take my time.' });
  const dialogs = [
    ['/spaces', 'New space'],
    ['/settings?tab=agents', 'New agent'],
    ['/guardian', 'Remove'],
  ] as const;
  for (const [path, name] of dialogs) {
    await follow(page, path);
    const button = page.getByRole('main').getByRole('button', { name, exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.locator('[role="dialog"] :focus').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect
      .poll(() =>
        page
          .locator(':focus')
          .textContent({ timeout: 1_000 })
          .catch(() => ''),
      )
      .toBe(name);
  }
});
