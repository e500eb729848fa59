import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../core/src/features/webhooks/receiver.fixture.ts';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());

it('renames the agent, and makes one more to switch to', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Rename' }).click();
  await page.getByRole('button', { name: /^Ada Lovelace/ }).waitFor();
  await page.getByRole('button', { name: 'Reflect now' }).click();
  await page.getByText('It reflects now.').waitFor();
  await page.getByRole('button', { name: 'New agent' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Grace');
  await page.getByRole('button', { name: 'Make the agent' }).click();
  await page.getByRole('button', { name: /^Grace/ }).waitFor();
  await shoot(page, 'settings-agents');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Switch to it' }).click();
  await page.getByRole('button', { name: /^Ada Lovelace/ }).waitFor();
});

it('makes a key that is shown once, rotates it and revokes it', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/settings?tab=keys');
  await page.getByRole('button', { name: 'New key' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('laptop');
  await form.getByLabel('Only read').check();
  await form.getByLabel('It ends').first().click();
  await page.getByRole('option', { name: 'In 30 days' }).click();
  await shoot(page, 'settings-new-key');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Make the key' }).click();
  const secret = (await page.getByText(/^svc_[0-9A-Za-z]{36}$/).textContent()) ?? '';
  const { apiKeys } = dashboard.kit.engine;
  expect((await apiKeys.authenticate(secret)).scope).toBe('read');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByText(secret).waitFor({ state: 'detached' });

  // The answer comes after the human has closed the form.
  let close = () => {};
  const closed = new Promise<void>((resolve) => {
    close = resolve;
  });
  await page.route('**/api/v1/api-keys', (route) => closed.then(() => route.continue()));
  await page.getByRole('button', { name: 'New key' }).click();
  await form.getByLabel('Name').fill('late');
  await form.getByRole('button', { name: 'Make the key' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
  await form.waitFor({ state: 'detached' });
  close();
  await page.getByText(/^svc_[0-9A-Za-z]{36}$/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.unrouteAll();

  const line = () => page.getByRole('listitem').filter({ hasText: 'laptop' });
  await line()
    .getByText(/only reads/)
    .waitFor();
  await line().getByRole('button', { name: 'Rotate' }).click();
  const rotated = (await page.getByText(/^svc_[0-9A-Za-z]{36}$/).textContent()) ?? '';
  await page.getByRole('button', { name: 'I have kept it' }).click();
  expect((await apiKeys.authenticate(rotated)).scope).toBe('read');
  await line().filter({ hasText: 'replaced' }).getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await line().filter({ hasText: 'revoked' }).waitFor();
  await expect(apiKeys.authenticate(secret)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await shoot(page, 'settings-keys');
  await expectAccessible(page);
});

it('registers an endpoint, shows what was sent to it, and sends it again', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/settings?tab=events');
  await page.getByText('Nobody is told').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'New webhook' }).click();
  await page.getByLabel('Address').fill(receiver.url);
  await shoot(page, 'settings-new-endpoint');
  await page.getByRole('button', { name: 'Add the webhook' }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByRole('button', { name: 'Delivery log' }).click();
  await page.getByText('endpoint.test').waitFor();
  await dashboard.kit.engine.background.run('events.deliver');
  await page.reload();
  await page.getByRole('button', { name: 'Delivery log' }).click();
  await page.getByRole('button', { name: 'Send again' }).first().waitFor();
  await page
    .getByText(/answered 204/)
    .first()
    .waitFor();
  expect(receiver.received[0]?.body).toContain('endpoint.test');
  await shoot(page, 'settings-events');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send again' }).first().click();
  await page.getByText('It is sent again.').waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nobody is told').waitFor();
});

/** The contrasts between the edges of controls and what is around them (WCAG 2.2, 1.4.11). */
const contrastsOfEdges = `(() => {
  const pen = document.createElement('canvas').getContext('2d');
  const luminance = (color) => {
    pen.fillStyle = color;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue] = [...pen.getImageData(0, 0, 1, 1).data].map((part) => part / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return ['[type=checkbox]:not(:checked)', '[type=radio]:not(:checked)', '.mantine-NumberInput-input'].map((input) => {
    const control = document.querySelector('main input' + input);
    const around = getComputedStyle(control.closest('section')).backgroundColor;
    const [dark, light] = [getComputedStyle(control).borderTopColor, around].map(luminance).sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  });
})()`;

/** Fails if one cannot see what is chosen where the browser replaces all colours, as for the contrast themes of Windows. */
async function expectChosenInForcedColors(page: Page): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  const [chosen, other] = [true, false].map((checked) => page.getByRole('radio', { checked }).first());
  expect(await chosen?.locator('..').screenshot()).not.toEqual(await other?.locator('..').screenshot());
  const edges = (await page.evaluate(
    `[true, false].map((chosen) => document.querySelector('[role=tab][aria-selected=' + chosen + ']'))
      .map((tab) => getComputedStyle(tab).borderBottomColor)`,
  )) as string[];
  expect(edges[0]).not.toBe(edges[1]);
  await page.emulateMedia({ forcedColors: null });
}

it('sets what the Guardian protects', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark' });
  await page.goto('/settings?tab=guardian');
  await page.getByLabel('relationship').check();
  await page.getByLabel('A change waits').fill('48');
  await page.getByLabel('Nothing happens by itself').check();
  await shoot(page, 'settings-guardian-dark');
  await expectAccessible(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
    for (const contrast of (await page.evaluate(contrastsOfEdges)) as number[]) {
      expect(contrast, colorScheme).toBeGreaterThanOrEqual(3);
    }
  }
  await expectChosenInForcedColors(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. What waits already').waitFor();
  const { settings } = await agent.guardianSettings();
  expect(settings).toEqual({
    categories: ['soul', 'identity', 'relationship'],
    cooling_hours: 48,
    drift_limit: 0.5,
    unattended: 'nothing',
  });
});

describe('where the operator lets nothing happen unattended', () => {
  const strict = useDashboard(() => ({}), { settings: { guardianUnattended: 'nothing' } });

  it('says that this holds, whatever the human chooses', async () => {
    const { page } = await strict.visitor();
    await page.goto('/settings?tab=guardian');
    await page.getByLabel('Only what cannot change the meaning').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('the operator of this service has chosen so').waitFor();
    await page.getByRole('radio', { name: 'Nothing happens by itself', checked: true }).waitFor();
  });
});

it('shows where the human is signed in, and signs other browsers out at once, with what they show', async () => {
  const visitor = await dashboard.visitor();
  const signInElsewhere = async () => {
    const page = await dashboard.window({ size: 'phone' });
    await page.goto('/sign-in');
    await page.getByLabel('E-mail').fill(visitor.email);
    await page.locator('input[type=password]').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Connect your agent').waitFor();
    return page;
  };
  const [phone, tablet] = [await signInElsewhere(), await signInElsewhere()];
  const { page } = visitor;
  await page.goto('/settings?tab=account');
  const lines = page.getByRole('listitem').filter({ hasText: 'last seen' });
  await lines.nth(2).waitFor();
  await lines
    .filter({ hasText: 'this browser' })
    .filter({ hasText: /Chrome.* on Linux/ })
    .waitFor();
  await shoot(page, 'settings-sessions');
  await expectAccessible(page);
  await lines.getByRole('button', { name: 'Sign out' }).first().press('Enter');
  await lines.nth(2).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Sign out all others' }).press('Enter');
  await lines.nth(1).waitFor({ state: 'detached' });
  for (const other of [phone, tablet]) await other.getByText('Your session has ended.').waitFor();
  await page.reload();
  await lines.filter({ hasText: 'this browser' }).waitFor();
});

it('changes the password, and signs out', async () => {
  const { page, email } = await dashboard.visitor({ size: 'phone' });
  await page.goto('/settings?tab=account');
  await page.getByLabel('Current password').fill('not the password');
  await page.getByLabel('New password').fill('a new and better one');
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByText('The current password is wrong.').waitFor();
  await shoot(page, 'settings-account-phone');
  await expectAccessible(page);
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change it' }).click();
  await page.getByText('Your password is changed').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/sign-in');
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill('a new and better one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Connect your agent').waitFor();
});

it('shows the new secret of each key, also where two are rotated before the first answer', async () => {
  const { page, tenantId } = await dashboard.visitor();
  const { apiKeys } = dashboard.kit.engine;
  for (const name of ['laptop', 'server']) await apiKeys.create(tenantId, { name, scope: 'full' });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/v1/api-keys/*/rotate', (route) => answered.then(() => route.continue()));
  await page.goto('/settings?tab=keys');
  for (const name of ['laptop', 'server']) {
    const asked = page.waitForRequest('**/rotate');
    await page
      .getByRole('listitem')
      .filter({ hasText: name })
      .getByRole('button', { name: 'Rotate' })
      .click();
    await asked;
  }
  answer();
  const shown = page.getByText(/^svc_[0-9A-Za-z]{36}$/);
  await shown.nth(1).waitFor();
  const holders = (await shown.allTextContents()).map((secret) => apiKeys.authenticate(secret));
  expect(new Set((await Promise.all(holders)).map(({ keyId }) => keyId)).size).toBe(2);
  await page.getByRole('button', { name: 'I have kept it' }).click();
  await shown.first().waitFor({ state: 'detached' });
});
