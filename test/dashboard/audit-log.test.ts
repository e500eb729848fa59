import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();
/** The first time zone to see a day, 14 hours before UTC. */
const EAST = 'Pacific/Kiritimati';
const DAY_MS = 86_400_000;
/** The day there, so many days from now. */
const dayInEast = (days: number) =>
  new Intl.DateTimeFormat('sv', { timeZone: EAST }).format(Date.now() + days * DAY_MS);

it('shows who did what, filtered, checked, and as a file', async () => {
  const { page, agent, tenantId, email, context } = await dashboard.visitor({ timeZone: EAST });
  const refused = await context.request.post('/api/v1/auth/login', {
    data: { email, password: `not ${PASSWORD}` },
    headers: { Origin: dashboard.url },
  });
  expect(refused.status()).toBe(401);
  await expect.poll(async () => (await agent.auditLog({ act: 'sign_in.failed' })).entries.length).toBe(1);
  await page.goto('/audit-log');
  const acts = page.getByRole('list', { name: 'Acts, newest first' });
  await acts.getByText('A sign-in failed').waitFor();
  await acts.getByText('a visitor').waitFor();
  await page.getByText('Verified', { exact: true }).waitFor();
  await page.getByText('All 4 entries are as written').waitFor();
  await expectAccessible(page);

  await page.getByRole('combobox', { name: 'Acts' }).click();
  await page.getByRole('option', { name: 'API keys' }).click();
  await expect.poll(() => acts.getByRole('listitem').count()).toBe(1);
  await acts.getByText('An API key was made').waitFor();
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })];
  await to.fill(dayInEast(-1));
  await page.getByText('Nothing of this kind').waitFor();
  await from.fill(dayInEast(0));
  await page.getByText('This is before the other day').waitFor();
  await to.fill('');
  await acts.getByText('An API key was made').waitFor();
  // Day, month and year are typed one after the other.
  await to.focus();
  await page.keyboard.type('01012020');
  expect(await to.inputValue()).toBe('2020-01-01');
  await page.getByRole('button', { name: 'Clear', exact: true }).click();
  await expect.poll(() => acts.getByRole('listitem').count()).toBe(4);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).act)).toEqual([
    ...['agent.created', 'sign_in.succeeded', 'api_key.created', 'sign_in.failed'],
  ]);

  await dashboard.kit.engine.database.system((tx) =>
    tx.execute(sql`DELETE FROM audit_entries WHERE tenant_id = ${tenantId}::uuid AND sequence = 2`),
  );
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByRole('alert').getByText('Entry 2 is missing').waitFor();
  await expectAccessible(page);
  await shoot(page, 'audit-log-broken');
});
