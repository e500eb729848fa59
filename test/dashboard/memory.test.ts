import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, follow, looksOf, SIZES, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();
const FRIDAYS = 'Deploys are frozen on Fridays; Maya approves exceptions.';

/** Shows the page in a wide window in each colour scheme, and in a narrow one, which has the same colours. */
async function lookAt(page: Page, name: string): Promise<void> {
  for await (const colors of looksOf(page)) {
    await expectUnharmed(page);
    await shoot(page, `${name}-${colors}-desktop`);
  }
  await page.setViewportSize(SIZES.small);
  await expectAccessible(page, 'all but colors');
  await expectUnharmed(page);
  await shoot(page, `${name}-small`);
  await page.setViewportSize(SIZES.desktop);
}

it('lets the human correct a memory, take that back, and return to an earlier version', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS, tags: ['deploy'] });
  const read = async () => (await agent.get({ id: memory.id })).memory;
  await page.goto(`/memories/${memory.id}`);
  await page.getByRole('heading', { level: 1, name: 'Deploys are frozen on Fridays' }).waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill(`${FRIDAYS} Priya, too.\u200B`);
  await page.getByText('It holds characters that cannot be seen').waitFor();
  await page.getByRole('button', { name: 'Remove them' }).click();
  await page.getByRole('combobox', { name: 'Tags' }).fill('friday');
  await page.keyboard.press('Enter');
  await page.getByRole('slider', { name: 'Importance' }).press('End');
  await page.getByLabel('Happened').fill('2026-02-01T09:30:00');
  await lookAt(page, 'memory-edit');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected. Your agent knows it so from now on.').waitFor();
  expect(await read()).toMatchObject({
    content: `${FRIDAYS} Priya, too.`,
    tags: ['deploy', 'friday'],
    importance: 1,
    occurred_at: '2026-02-01T09:30:00.000Z',
    source: { kind: 'human' },
  });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('It says again what it said before.').waitFor();
  const { version: _, updated_at: __, source: ___, ...fields } = memory;
  expect(await read()).toMatchObject(fields);

  await page.getByText('3 versions').waitFor();
  await page.getByRole('button', { name: 'Return to this version' }).click();
  await page.getByText('It says again what it said then.').waitFor();
  expect((await read()).content).toBe(`${FRIDAYS} Priya, too.`);
});

it('overwrites nothing that has changed since the human began to write', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'working', content: FRIDAYS });
  await page.goto(`/memories/${memory.id}`);
  await page.route('**/api/v1/events/stream', (route) => route.abort());
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill('Deploys are never frozen.');
  await agent.update({ id: memory.id, content: 'Deploys are frozen in December.' });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody has changed it since you began').waitFor();
  expect(await page.getByLabel('What it says').inputValue()).toBe('Deploys are never frozen.');
  expect((await agent.get({ id: memory.id })).memory.content).toBe('Deploys are frozen in December.');
});

it('lets the human correct who the agent is, at once and on the record', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'core', category: 'soul', content: 'I hurry.' });
  await page.goto(`/memories/${memory.id}`);
  await page.getByText('You have not confirmed this memory yet.').waitFor();
  await page.getByText('it cannot be archived').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByLabel('What it says').fill('I take my time.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Corrected.').waitFor();
  await page.getByText('You have not confirmed this memory yet.').waitFor({ state: 'detached' });
  expect((await agent.get({ id: memory.id })).memory.content).toBe('I take my time.');
  await page.getByRole('link', { name: /^Guardian/ }).click();
  await page.getByRole('button', { name: /^Approved.*I take my time/ }).click();
  await page.getByText('decided by you').waitFor();
  await page.locator('del', { hasText: 'hurry' }).waitFor();
});

it('prints a memory whole, in colours for paper, and without what can be pressed', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark' });
  const content = `${'The long story of the harvest. '.repeat(1_000)}That was all.`;
  const { memory } = await agent.remember({ type: 'semantic', content });
  await page.goto(`/memories/${memory.id}`);
  await page.getByRole('button', { name: 'Show all' }).waitFor();
  await page.emulateMedia({ media: 'print' });
  await page.locator('main p', { hasText: 'That was all.' }).waitFor();
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor();
  expect(await page.locator('button, input').filter({ visible: true }).count()).toBe(0);
  await page.emulateMedia({ media: null });
  await page.getByRole('button', { name: 'Show all' }).waitFor();
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor();
  // A real printer asks in another way: what is folded fills two pages.
  const pages = /\/Count (\d+)/.exec((await page.pdf({ format: 'A4' })).toString('latin1'))?.[1];
  expect(Number(pages)).toBeGreaterThan(6);
});

it('archives a memory and brings it back', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: FRIDAYS });
  await page.goto(`/memories/${memory.id}`);
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByText('This memory is archived').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The memory is back.').waitFor();
  await page.getByRole('button', { name: 'Archive' }).click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Archive' }).waitFor();
  expect((await agent.get({ id: memory.id })).memory.archived_at).toBeUndefined();
  await follow(page, '/memories/00000000-0000-7000-8000-000000000000');
  await page.getByText('There is no such memory').waitFor();
});

it('tells where a memory comes from, what took its place, and how it is used', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory: old } = await agent.remember({
    type: 'semantic',
    content: `The office is in Paris. ${HOSTILE.script}`,
    session_id: 'morning',
  });
  const { memory: now } = await agent.remember({
    type: 'semantic',
    content: 'The office is in Lyon.',
    supersedes: [old.id],
  });
  await agent.remember({ type: 'semantic', content: 'The office in Lyon opens at eight.' });
  await agent.recall({ query: 'where is the office?' });
  await page.goto(`/memories/${old.id}`);
  await page.getByText('A newer memory has taken its place', { exact: true }).waitFor();
  await page.getByText('Not read at boot now: a newer memory has taken its place.').waitFor();
  await page.getByText('morning', { exact: true }).waitFor();
  await expectUnharmed(page);
  await page.getByRole('link', { name: 'the newer one' }).click();
  await page.getByRole('heading', { level: 1, name: 'The office is in Lyon.' }).waitFor();
  await page.getByText('Before it').waitFor();
  await page.getByRole('link', { name: /The office is in Paris/ }).waitFor();
  await page.getByRole('link', { name: /opens at eight/ }).waitFor();
  await page.getByText('Read at every boot, under “What you know”.').waitFor();
  await page.getByText('where is the office?').waitFor();
  await lookAt(page, 'memory-why');
  await page.goBack();
  await page.getByRole('button', { name: 'It still holds' }).click();
  await page.getByText('It holds again').waitFor();
  expect((await agent.get({ id: old.id })).memory.superseded_by).toBeUndefined();
  await page.getByRole('button', { name: 'Undo' }).click();
  const newer = async () => (await agent.get({ id: old.id })).memory.superseded_by;
  await expect.poll(newer).toBe(now.id);
});

it('takes back what one source wrote since a time, after a preview', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory: kept } = await agent.remember({
    type: 'semantic',
    content: 'The vault code changes monthly.',
  });
  const since = new Date().toISOString();
  await agent.update({ id: kept.id, content: 'The vault code is public.' });
  const { memory: planted } = await agent.remember({ type: 'semantic', content: HOSTILE.script });
  await page.goto(`/memories/${planted.id}`);
  await page.getByRole('link', { name: 'Take back all that the agent wrote since then…' }).click();
  await page.getByText('1 archived', { exact: true }).waitFor();
  await page.goto(`/undo?source=agent&since=${since}`);
  await page.getByText('1 archived · 1 say again what they said before').waitFor();
  await page.locator('ins', { hasText: 'changes' }).waitFor();
  expect((await agent.get({ id: kept.id })).memory.content).toContain('public');
  await lookAt(page, 'undo');
  await page.getByRole('button', { name: 'Take it back' }).click();
  await page.getByText('Taken back: 1 archived').waitFor();
  await page.getByText('Nothing to take back').waitFor();
  expect((await agent.get({ id: kept.id })).memory.content).toBe('The vault code changes monthly.');
});

it('shows what cannot be seen in the facts that a version has changed', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'semantic', content: 'The desk opens at nine.' });
  await agent.update({ id: memory.id, metadata: { file: 'safe\u202Efdp.exe\u200B' } });
  await page.goto(`/memories/${memory.id}`);
  await page.getByText('2 versions').waitFor();
  const fact = page.locator('main p', { hasText: 'metadata' });
  expect(await fact.textContent()).toContain('safeU+202Efdp.exeU+200B');
  expect(await page.locator('main').textContent()).not.toContain('\u202E');
});
