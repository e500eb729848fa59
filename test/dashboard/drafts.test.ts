import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, follow, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();
const FRIDAYS = 'Deploys are frozen on Fridays; Maya approves exceptions.';
const TYPED = `Deploys are never frozen. ${HOSTILE.script}`;
const KEPT = 'What you had typed is still here';

async function edit(page: Page, id: string): Promise<void> {
  await page.goto(`/memories/${id}`);
  await page.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill(TYPED);
}

/** Fails unless the editor opens by itself with what was typed. */
async function expectTyped(page: Page): Promise<void> {
  await page.getByText(KEPT).waitFor();
  expect(await page.getByLabel('What it says').inputValue()).toBe(TYPED);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** How many drafts this tab holds. */
const draftsIn = (page: Page) =>
  page.evaluate<number>("Object.keys(sessionStorage).filter((key) => key.startsWith('svc-draft')).length");

it('what is typed stays by whichever way the human leaves the memory, until it is saved', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  const back = () => page.locator(`a[href="/memories/${memory.id}"]`).first().press('Enter');
  await page.goto('/memories');
  await back();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill(TYPED);
  await page.getByRole('combobox', { name: 'Tags' }).fill('deploy');
  await page.keyboard.press('Enter');

  await page.reload();
  await expectTyped(page);
  await page.getByText('deploy', { exact: true }).waitFor();
  await shoot(page, 'memory-draft');
  await expectAccessible(page);
  await expectUnharmed(page);
  await page.goBack();
  await back();
  await expectTyped(page);
  await page.getByRole('link', { name: 'All memories' }).click();
  await back();
  await expectTyped(page);
  await page.keyboard.press('Control+K');
  await page.locator('[role="dialog"] :focus').waitFor();
  await page.keyboard.type('memories');
  await page.getByRole('dialog').getByText('Memories', { exact: true }).first().click();
  await back();
  await expectTyped(page);

  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect((await agent.get({ id: memory.id })).memory).toMatchObject({ content: TYPED, tags: ['deploy'] });
  expect(await draftsIn(page)).toBe(0);
  await page.reload();
  await page.getByRole('button', { name: 'Edit' }).waitFor();
  expect(await page.getByText(KEPT).count()).toBe(0);
});

it('what is typed goes only where the human says so twice', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await edit(page, memory.id);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Discard what you have typed?').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Go on writing' }).click();
  expect(await page.getByLabel('What it says').inputValue()).toBe(TYPED);
  await page.reload();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Discard it' }).click();
  await page.getByLabel('What it says').waitFor({ state: 'detached' });
  expect(await draftsIn(page)).toBe(0);
  await page.getByRole('button', { name: 'Edit' }).click();
  expect(await page.getByLabel('What it says').inputValue()).toBe(FRIDAYS);
  // Nothing is typed, so nothing is asked.
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByLabel('What it says').waitFor({ state: 'detached' });
});

it('what was typed over an older version overwrites nothing', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await edit(page, memory.id);
  await page.goto('/memories');
  await agent.update({ id: memory.id, content: 'Deploys are frozen in December.', tags: ['winter'] });
  await page.goto(`/memories/${memory.id}`);
  await expectTyped(page);
  await page.getByText('Somebody has changed it since you began').waitFor();
  await page.getByRole('alert').locator('ins', { hasText: 'December' }).waitFor();
  await page.getByRole('button', { name: 'Go on from there' }).click();
  await page.reload();
  await expectTyped(page);
  expect(await page.getByText('Somebody has changed it since you began').count()).toBe(0);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect((await agent.get({ id: memory.id })).memory).toMatchObject({ content: TYPED, tags: ['winter'] });
});

it('what is typed is there again after the session was ended from another browser', async () => {
  const { page, agent, email } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await edit(page, memory.id);
  const other = await dashboard.window();
  await other.goto('/sign-in');
  await signIn(other, email);
  await other.getByText('Live', { exact: true }).waitFor({ state: 'attached' });
  await follow(other, '/settings?tab=account');
  await other.getByRole('button', { name: 'Sign out all others' }).click();
  await page.waitForURL('**/sign-in**');
  await page.getByText('Your session has ended').waitFor();
  await shoot(page, 'session-ended');
  expect(await page.content()).not.toContain('never frozen');
  await signIn(page, email);
  await expectTyped(page);
});

it.each([
  ['en-GB', 'Edit', 'What it says', 'Save', 'Your session has ended. Sign in again to go on.'],
  ['de-DE', 'Bearbeiten', 'Was sie sagt', 'Speichern', 'Deine Sitzung ist beendet.'],
])('who saves without a session is told so and led to the sign-in (%s)', async (language, ...words) => {
  const [open, says, save, ended] = words;
  const { page, context, agent } = await dashboard.visitor({ language });
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await page.goto(`/memories/${memory.id}`);
  await page.getByRole('button', { name: open }).click();
  await page.getByLabel(says).fill(TYPED);
  await context.clearCookies();
  await page.getByRole('button', { name: save }).click();
  await page.waitForURL('**/sign-in**');
  await page.getByRole('main').getByText(ended).waitFor();
  expect(await page.content()).not.toContain('Authorization');
  expect(await draftsIn(page)).toBe(1);
});

it('whoever saves without a session saves what they typed after they have signed in again', async () => {
  const { page, context, agent, email } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await edit(page, memory.id);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL('**/sign-in**');
  await signIn(page, email);
  await expectTyped(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  expect((await agent.get({ id: memory.id })).memory.content).toBe(TYPED);
});

it('what is typed is shown to no other human, and is gone once its human signs out', async () => {
  const { page, context, agent, email } = await dashboard.visitor();
  const stranger = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await edit(page, memory.id);
  await context.clearCookies();
  await page.reload();
  await page.waitForURL('**/sign-in**');
  await signIn(page, stranger.email);
  await page.getByText('There is no such memory').waitFor();
  expect(await page.content()).not.toContain('never frozen');
  await follow(page, '/settings?tab=account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL('**/sign-in**');
  await page.goto(`/sign-in?next=/memories/${memory.id}`);
  await signIn(page, email);
  await expectTyped(page);
  await follow(page, '/settings?tab=account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL('**/sign-in**');
  expect(await draftsIn(page)).toBe(0);
});

/** Opens a form, and answers the field into which the human types. */
const FORMS: readonly (readonly [path: string, open: string | undefined, field: string, typed: string])[] = [
  ['/agenda?add=date', undefined, 'Note', 'Ask Maya'],
  ['/agenda?add=work', undefined, 'Where it stands', 'Half of it runs'],
  ['/guardian', 'Remove', 'Why', 'Nobody may say that'],
  ['/undo', undefined, 'Since', '2026-01-02T03:04:05'],
  ['/spaces', 'New space', 'Name', 'Orchard team'],
  ['/settings', undefined, 'Name', 'Ada the second'],
  ['/settings?tab=events', 'New webhook', 'Address', 'https://example.com/hook'],
  ['/import-export', 'Git', 'Repository', 'https://example.com/notes.git'],
];

it('what is typed into any other form is there again, until it is discarded, sent, or its human signs out', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
  const open = async ([path, button, field]: (typeof FORMS)[number]) => {
    await follow(page, path);
    const opens = page.getByRole(button === 'Git' ? 'tab' : 'button', { name: button ?? '', exact: true });
    if (button !== undefined) await opens.first().click();
    return page
      .getByRole('textbox', { name: field, exact: true })
      .or(page.getByLabel(field, { exact: true }))
      .first();
  };
  for (const form of FORMS) await (await open(form)).fill(form[3]);
  expect(await draftsIn(page)).toBe(FORMS.length);
  await page.reload();
  for (const form of FORMS) {
    const field = await open(form);
    await page.getByText(KEPT).waitFor();
    expect(await field.inputValue()).toBe(form[3]);
  }
  await shoot(page, 'form-draft');
  await expectAccessible(page);

  await page.getByRole('button', { name: 'Discard' }).press('Enter');
  expect(await page.locator(':focus').getAttribute('type')).toBe('url');
  expect(await page.getByLabel('Repository').inputValue()).toBe('');
  expect(await draftsIn(page)).toBe(FORMS.length - 1);
  await page.getByLabel('Repository').fill('https://me:secret@example.com/notes.git');
  expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('secret');

  // Browsers take a year of five digits, which is a slip of the finger.
  await (await open(['/undo', undefined, 'Since', ''])).fill('20266-01-01T00:00:00');
  await page.getByRole('button', { name: 'Show what would change' }).click();
  await page.locator('input:invalid').waitFor();

  await open(['/guardian', 'Remove', 'Why', '']);
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed. The memory is archived.').waitFor();
  expect(await draftsIn(page)).toBe(FORMS.length - 2);

  await follow(page, '/settings?tab=account');
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.waitForURL('**/sign-in**');
  expect(await draftsIn(page)).toBe(0);
});
