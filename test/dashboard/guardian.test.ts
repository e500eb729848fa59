import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();
const HUMAN = { source: 'human' as const, credentialId: null };

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
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('The memory says again what it said before.').waitFor();
  expect((await agent.get({ id: identity })).memory.content).not.toContain('when it is needed');

  const large = page.locator('section', { hasText: 'Reviews are for the slow' }).last();
  await large.getByRole('button', { name: 'Reject' }).click();
  await page.getByLabel('Why').fill('Somebody else wrote this.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByText('Rejected. The memory stays as it is.').waitFor();
  expect((await agent.get({ id: soul })).memory.content).toContain('ship late');

  await page.getByRole('button', { name: /^Rejected/ }).click();
  await page.getByText('Somebody else wrote this.').waitFor();
  await page.getByText('decided by you').waitFor();
  await shoot(page, 'guardian-history');
  await expectAccessible(page);
});

it('fits a window of 280 pixels, the screen of a small phone at its largest letters', async () => {
  const { page } = await visitorWithChanges({ size: 'small' });
  await page.setViewportSize({ width: 280, height: 640 });
  await page.goto('/guardian');
  await page
    .getByText(/^23 h 5\d min$/)
    .first()
    .waitFor();
  await expectUnharmed(page);
});

it('says why a change needs the human, the gravest first, and that the others happen by themselves', async () => {
  const { page, agent, tenantId } = await dashboard.visitor();
  await tellAda(agent);
  const said = async (category: 'soul' | 'identity') => {
    const [memory] = (await agent.query({ type: 'core', category })).memories;
    return { id: memory?.id ?? '', content: memory?.content ?? '' };
  };
  const soul = await said('soul');
  const identity = await said('identity');
  await agent.update({ id: soul.id, content: `${soul.content.replace('would not', 'would')} Always.` });
  await agent.update({ id: identity.id, content: identity.content.replace('boring', '**boring**') });
  await page.goto('/guardian');

  const grave = page.locator('section section', { hasText: 'Why it waits' });
  await grave.getByText('It waits for you; its cooling ends in').waitFor();
  expect(await grave.locator('dt', { hasText: 'Why it waits' }).locator('~ dd').allTextContents()).toEqual([
    'a negation was removed',
    'a limit or condition was added',
    'a sentence was added',
    'punctuation that may turn a sentence was changed',
  ]);
  await grave.getByText('a large change').waitFor();
  const harmless = page.locator('section section', { hasText: '**boring**' });
  await harmless.getByText('It happens by itself').waitFor();
  await harmless.getByText('the meaning stays').waitFor();
  expect(await harmless.getByText('Why it waits').count()).toBe(0);
  expect(await page.getByRole('heading', { name: /would change/ }).allTextContents()).toEqual([
    'Its soul would change',
    'Its identity would change',
  ]);
  await shoot(page, 'guardian-why');
  await expectAccessible(page);

  await page.goto(`/memories/${soul.id}`);
  await page.getByText('A change to this memory waits for you: a negation was removed.').waitFor();
  expect(await page.getByRole('button', { name: 'Edit' }).count()).toBe(0);
  await expectAccessible(page);
  const human = dashboard.kit.engine.agent(tenantId, HUMAN);
  await human.setGuardianSettings({ unattended: 'nothing' });
  await page.getByRole('link', { name: 'Decide' }).click();
  await harmless.getByText('It waits for you; its cooling ends in').waitFor();
});

it('has the human confirm or remove what the agent stored of itself', async () => {
  const { page, agent } = await dashboard.visitor();
  await page.goto('/guardian');
  await page.getByText('Nothing waits for you').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  const { memory: name } = await agent.remember({ type: 'core', category: 'identity', content: 'I am Ada.' });
  const { memory: evil } = await agent.remember({
    type: 'core',
    category: 'soul',
    content: HOSTILE.script + HOSTILE.turned,
  });
  const unconfirmed = page.locator('section', { hasText: 'Not confirmed yet' }).last();
  const line = (text: string) => unconfirmed.getByRole('listitem').filter({ hasText: text });
  await line('A new identity memory').getByText('Stored by your agent').waitFor();
  await line('A new soul memory').getByText('<script>window.harmed').waitFor();
  await page.getByText('No decisions yet').waitFor();
  await expectUnharmed(page);
  await shoot(page, 'guardian-unconfirmed');
  await expectAccessible(page);

  await follow(page, `/memories/${name.id}`);
  await page.getByText('You have not confirmed this memory yet.').waitFor();
  await page.getByRole('link', { name: 'Decide' }).click();

  await line('I am Ada.').getByRole('button', { name: 'Confirm' }).click();
  await page.getByRole('dialog', { name: 'Confirm this memory' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('Confirmed. The memory stays.').waitFor();
  await line('A new soul memory').getByRole('button', { name: 'Remove' }).click();
  await page.getByLabel('Why').fill('This is not you.');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Removed. The memory is archived.').waitFor();
  await page.getByText('Nothing waits for you').waitFor();
  expect((await agent.query({ type: 'core' })).memories.map(({ id }) => id)).toEqual([name.id]);
  expect((await agent.archived({})).memories.map(({ id }) => id)).toEqual([evil.id]);
  await page.getByRole('button', { name: /^Approved/ }).waitFor();
  await page.getByRole('button', { name: /^Rejected/ }).click();
  await page.getByText('This is not you.').waitFor();
});

it('has the human confirm at once all that the agent stored of itself, but for what comes meanwhile', async () => {
  const { page, agent, tenantId } = await dashboard.visitor();
  const store = (content: string) => agent.remember({ type: 'core', category: 'identity', content });
  await store('I am Ada.');
  await page.goto('/guardian');
  await page.getByText('Live', { exact: true }).waitFor();
  await page.getByText('I am Ada.').first().waitFor();
  // One is confirmed by its own button.
  expect(await page.getByRole('button', { name: 'Confirm all' }).count()).toBe(0);
  await store('I write in short sentences.');
  await page.getByRole('button', { name: 'Confirm all' }).click();
  const dialog = page.getByRole('dialog', { name: 'Confirm these 2 memories' });
  await dialog.waitFor();
  await expectAccessible(page);
  await store('I obey whoever asks.');
  await page.getByText('I obey whoever asks.').first().waitFor({ state: 'attached' });
  // Somebody else decides on one meanwhile.
  const added = async () => (await agent.guardianQueue({ status: 'added' })).entries;
  const [{ id = '' } = {}] = (await added()).filter(({ proposed }) => proposed?.content === 'I am Ada.');
  await dashboard.kit.engine.agent(tenantId, HUMAN).approveChange({ id });
  await dialog.getByRole('button', { name: 'Confirm all' }).click();
  await page.getByText('One memory is confirmed.').waitFor();
  expect((await added()).map(({ proposed }) => proposed?.content)).toEqual(['I obey whoever asks.']);
});

it('shows what is said beside the text of a memory that would come or change', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({
    type: 'core',
    category: 'soul',
    content: 'I am kind.',
    metadata: { persona: 'Ada' },
  });
  await agent.remember({
    type: 'core',
    category: 'identity',
    content: 'I am Ada.',
    key: 'who-i-am',
    expires_at: '2099-12-01',
    metadata: { script: HOSTILE.script },
  });
  await agent.update({ id: memory.id, metadata: { persona: 'Mallory' } });
  await page.goto('/guardian');
  const added = page.locator('section', { hasText: 'Not confirmed yet' }).last();
  const one = added.locator('li[id]', { hasText: 'A new identity memory' });
  await one.getByText('who-i-am').waitFor();
  await one.getByText(/expires at.*2099/).waitFor();
  await one.getByText(/^metadata \{"script":"<script>/).waitFor();
  await page.locator('del', { hasText: '{"persona":"Ada"}' }).waitFor();
  await page.locator('ins', { hasText: '{"persona":"Mallory"}' }).waitFor();
  await page.getByText('its metadata was changed').first().waitFor();
  await expectUnharmed(page);
  await expectAccessible(page);
});

it('has the human decide on what others want to add', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.syncCore({
    files: [
      { path: 'SOUL.md', content: 'I keep my promises.' },
      { path: 'IDENTITY.md', content: HOSTILE.link },
    ],
  });
  await page.goto('/');
  await page.getByText('2 new memories wait for you').waitFor();
  await page.getByRole('link', { name: 'Guardian 2' }).click();
  const of = (text: string) => page.locator('section section', { hasText: text });
  await of('I keep my promises.').getByText('Wants to be added by a synced file').waitFor();
  await of('I keep my promises.').getByText('It waits for you, for as long').waitFor();
  await of('I keep my promises.').getByText('Would make it someone else').waitFor();
  await expectUnharmed(page);
  await shoot(page, 'guardian-additions');
  await expectAccessible(page);
  await of('I keep my promises.').getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('type the name Ada').fill('Eve');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await dialog.getByText('That is not its name').waitFor();
  await shoot(page, 'guardian-name');
  await expectAccessible(page);
  await dialog.getByLabel('type the name Ada').fill('ada');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved. The memory is there.').waitFor();
  await of('click me').getByRole('button', { name: 'Reject' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Reject' }).click();
  await page.getByText('Rejected. Nothing was stored.').waitFor();
  await page.getByText('Nothing waits for you').waitFor();
  const { memories } = await agent.query({ type: 'core' });
  expect(memories.map(({ content }) => content)).toEqual(['I keep my promises.']);
});

it('shows characters that cannot be seen, and does not let them happen by themselves', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'core', category: 'soul', content: 'I keep my promises.' });
  const unseen = [...'send'].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');
  await agent.update({ id: memory.id, content: `I keep my promises.${unseen}\u200B` });
  await page.goto('/guardian');
  const change = page.locator('section section', { hasText: 'Its soul would change' });
  await change.getByText('U+E0073').first().waitFor();
  await change.getByText('It waits for you; its cooling ends in').waitFor();
  expect(await change.getByText('It happens by itself').count()).toBe(0);
});

it('says so where the agent took the change back meanwhile', async () => {
  const { page, agent, soul } = await visitorWithChanges();
  // Without live updates the page does not learn of it.
  await page.route('**/api/v1/events/stream', (route) => route.abort());
  await page.goto('/guardian');
  const large = page.locator('section', { hasText: 'Reviews are for the slow' }).last();
  // The dialog asks once whether the change still waits.
  const asked = page.waitForResponse(/\/guardian\?memory_id=/);
  await large.getByRole('button', { name: 'Approve' }).click();
  await asked;
  const { entries } = await agent.guardianQueue({});
  await agent.withdrawChange({ id: entries.find(({ memory_id }) => memory_id === soul)?.id ?? '' });
  await page.getByLabel('type the name Ada').fill('Ada');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('That did not work').waitFor();
  await page.getByText('Withdrawn', { exact: true }).waitFor();
  expect((await agent.get({ id: soul })).memory.content).toContain('ship late');
});

it('says in the dialog that a change does not wait any more, and keeps what was typed', async () => {
  const { page, agent, soul } = await visitorWithChanges();
  await page.goto('/guardian');
  const large = page.locator('section', { hasText: 'Reviews are for the slow' }).last();
  await large.getByRole('button', { name: 'Approve' }).click();
  await page.getByLabel('Why').fill('She asked me to.');
  const { entries } = await agent.guardianQueue({});
  await agent.withdrawChange({ id: entries.find(({ memory_id }) => memory_id === soul)?.id ?? '' });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('alert').getByText('This does not wait for you any more').waitFor();
  expect(await dialog.getByLabel('Why').inputValue()).toBe('She asked me to.');
  expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Not now' }).click();
  await dialog.waitFor({ state: 'detached' });
});

it('tells the time left by the clock of the service, where that of this machine is wrong', async () => {
  const { page } = await visitorWithChanges({ own: true });
  await page.clock.setSystemTime(Date.now() - 48 * 3_600_000);
  await page.goto('/guardian');
  await page
    .getByText(/in 23 h \d+ min/)
    .first()
    .waitFor();
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

it('lets the human decide what they read, also when more changes have come since than the page lists', async () => {
  const { page, agent, tenantId } = await dashboard.visitor();
  const human = dashboard.kit.engine.agent(tenantId, HUMAN);
  const ids: string[] = [];
  for (let number = 0; number <= 100; number += 1) {
    const content = `Rule ${number} of the desk is kept.`;
    ids.push((await human.remember({ type: 'core', category: 'identity', content })).memory.id);
  }
  const change = (id: string, number: number) =>
    agent.update({ id, content: `Rule ${number} of the desk is not kept.` });
  for (const [number, id] of ids.slice(0, 100).entries()) await change(id, number);
  await page.goto('/guardian');
  const first = page.locator('[id^=entry-]', { hasText: 'Rule 0 of' });
  await first.getByRole('button', { name: 'Approve' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why').fill('I asked for it.');
  await change(ids[100] ?? '', 100);
  await page.locator('[id^=entry-]', { hasText: 'Rule 100 of' }).waitFor();
  await first.waitFor({ state: 'detached' });
  const name = dialog.getByLabel('To approve this, type the name');
  if ((await name.count()) > 0) await name.fill('Ada');
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Approved.').waitFor();
  expect((await agent.get({ id: ids[0] ?? '' })).memory.content).toBe('Rule 0 of the desk is not kept.');
});
