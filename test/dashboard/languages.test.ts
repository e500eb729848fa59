import type { AgentMemory } from '@svc-memory/core';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, follow, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();
const GERMAN = { language: 'de-DE' } as const;
const SIGNED_OUT = new Set(['/sign-in', '/sign-up', '/forgot-password', '/reset-password']);
const VIEWS = [
  '/memories?show=calendar',
  '/memories?show=map',
  '/memories?show=archived',
  ...['agent', 'keys', 'apps', 'events', 'guardian', 'backups', 'account'].map(
    (tab) => `/settings?tab=${tab}`,
  ),
];

async function pagesOf(agent: AgentMemory, memoryId: string): Promise<string[]> {
  const own = dashboard.paths.filter((path) => !SIGNED_OUT.has(path));
  const { space } = await agent.createSpace({ name: 'Obstgarten' });
  return [...own.map((path) => path.replace(':id', memoryId).replace(':space', space.id)), ...VIEWS];
}

async function open(page: Page, path: string): Promise<void> {
  await follow(page, path);
  await page.locator('h1').first().waitFor();
  await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** What the page says in words, without commands and other code. */
const wordsOf = (page: Page) =>
  page.evaluate<string>(`(() => {
    const copy = document.body.cloneNode(true);
    for (const code of copy.querySelectorAll('code, pre, script, noscript, style, [lang]')) code.remove();
    const named = [...copy.querySelectorAll('[aria-label], [title], [placeholder]')];
    const names = named.flatMap((one) => ['aria-label', 'title', 'placeholder'].map((name) => one.getAttribute(name) ?? ''));
    return [copy.textContent, ...names].join(' | ');
  })()`);

const ENGLISH = /\b(the|your|what|which|when|with|nothing|yet|and|of|memory|memories|it|is|are|not|by)\b/gi;

it('a German browser reads every page in German, with no English word left', async () => {
  const { page, agent } = await dashboard.visitor(GERMAN);
  const { memory } = await agent.remember({ type: 'semantic', content: 'Deploys ruhen am Freitag.' });
  for (const path of await pagesOf(agent, memory.id)) {
    await open(page, path);
    expect(await page.locator('html').getAttribute('lang')).toBe('de');
    expect((await wordsOf(page)).match(ENGLISH) ?? [], path).toEqual([]);
  }
  const visitor = await dashboard.window(GERMAN);
  for (const path of SIGNED_OUT) {
    await open(visitor, path);
    expect((await wordsOf(visitor)).match(ENGLISH) ?? [], path).toEqual([]);
  }
});

it('every page in German fits a window of 320 pixels, hostile texts included', async () => {
  const { page, agent } = await dashboard.visitor({ ...GERMAN, size: 'small' });
  await tellAda(agent);
  for (const content of Object.values(HOSTILE)) {
    await agent.remember({ type: 'semantic', content: content.slice(0, 3_000) });
  }
  await agent.distress({ context: HOSTILE.script });
  await agent.createScheduleItem({ title: HOSTILE.turned, due_at: '2026-01-01' });
  const { memories } = await agent.query({ type: 'core', category: 'soul', limit: 1 });
  const [{ id } = { id: '' }] = memories;
  await agent.update({ id, content: 'I ship fast. Speed is all that counts.' });
  for (const path of await pagesOf(agent, id)) {
    await open(page, path);
    await expectUnharmed(page);
  }
  await open(page, '/guardian');
  await shoot(page, 'german-guardian-small');
  await expectAccessible(page);
  await open(page, '/');
  await shoot(page, 'german-overview-small');
  await expectAccessible(page);
});

it('a name that looks like a placeholder or an escape stays as it is, in both languages', async () => {
  const name = '<0>Eve</0> {name} \\u202Eevil';
  for (const language of ['de-DE', 'en-GB']) {
    const { page } = await dashboard.visitor({ language });
    await page.goto('/settings');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
    await page.getByRole('button', { name: /^(Umbenennen|Rename)$/ }).click();
    await page.getByRole('button', { name }).waitFor();
    await follow(page, '/');
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await follow(page, '/connect?client_id=x&redirect_uri=https%3A%2F%2Fapp.example');
    await expectUnharmed(page);
  }
});

it('the human chooses another language in the menu, which stays', async () => {
  const { page, email } = await dashboard.visitor({ ...GERMAN, colors: 'dark' });
  await page.goto('/settings?tab=account');
  await page.getByLabel('Bisheriges Passwort').fill('not the password');
  await page.getByLabel('Neues Passwort').fill('a new and better one');
  await page.getByRole('button', { name: 'Ändern' }).click();
  await page.getByText('Das bisherige Passwort ist falsch.').waitFor();
  await page.getByRole('button', { name: new RegExp(email) }).press('Enter');
  await shoot(page, 'german-menu-dark');
  await page.getByRole('menuitemradio', { name: 'English' }).click();
  await page.getByLabel('Current password').waitFor();
  await page.goto('/');
  await page.getByText('Connect your agent').waitFor();
  await page.getByRole('button', { name: new RegExp(email) }).click();
  await page.getByRole('menuitemradio', { name: 'As the browser' }).click();
  await page.getByText('Verbinde deinen Agenten').waitFor();
});

it('a browser of a language that there is no catalog of gets English words, with its own dates', async () => {
  const { page, agent } = await dashboard.visitor({ language: 'fr-FR' });
  await agent.remember({ type: 'episodic', content: 'Bonjour', occurred_at: '2026-03-29T12:00:00Z' });
  await page.goto('/memories?show=calendar');
  await page.getByText('The last year', { exact: true }).waitFor();
  await page.getByRole('button', { name: /dimanche 29 mars 2026: 1 memory/ }).waitFor();
});

it.each([
  ['en-US', 'Sunday, March 29, 2026', 0],
  ['de-DE', 'Montag, 30. März 2026', 1],
])(
  'the calendar of %s has the days of the local time zone, and begins the week as there',
  async (language, day, first) => {
    const { page, agent } = await dashboard.visitor({
      language,
      timeZone: language === 'en-US' ? 'America/New_York' : 'Europe/Berlin',
    });
    // 22:30 on Sunday in New York at the end of it, half past midnight on Monday in Berlin.
    const occurred_at = language === 'en-US' ? '2026-03-30T02:30:00Z' : '2026-03-29T22:30:00Z';
    await agent.remember({ type: 'episodic', content: 'Das Fenster war offen.', occurred_at });
    await page.goto('/memories?show=calendar');
    await page.getByRole('button', { name: new RegExp(`^${day}: 1 `) }).press('Enter');
    await page.getByRole('heading', { name: day }).waitFor();
    await page.getByText('Das Fenster war offen.').first().waitFor();
    const starts = await page.evaluate<string>(
      `document.querySelector('[data-day]').parentElement.querySelector('[data-day]').dataset.day`,
    );
    expect(new Date(`${starts}T12:00:00Z`).getUTCDay()).toBe(first);
    await page.getByRole('button', { name: /Open as a list|Als Liste öffnen/ }).click();
    await page.getByText('Das Fenster war offen.').first().waitFor();
  },
);
