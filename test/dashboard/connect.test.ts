import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';
import { expectUnharmed, HOSTILE } from './hostile.fixture.ts';

const dashboard = useDashboard();
const REDIRECT_URI = 'http://127.0.0.1:5555/callback';
const VERIFIER = 'v'.repeat(43);

/** Registers an app, and writes the address that it opens. */
async function registerApp(name: string, change: Readonly<Record<string, string>> = {}) {
  const { id } = await dashboard.kit.engine.connections.registerClient({
    client_name: name,
    redirect_uris: [REDIRECT_URI],
  });
  const query = new URLSearchParams({
    ...{ client_id: id, redirect_uri: REDIRECT_URI, response_type: 'code', state: 'a state' },
    ...{ code_challenge_method: 'S256', resource: `${dashboard.url}/mcp`, unknown: 'is ignored' },
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    ...change,
  });
  return { clientId: id, address: `/connect?${query}` };
}

/** Takes the place of the app's own page, and waits until the browser is sent there. */
function arrivalAtApp(page: Page): Promise<URL> {
  return new Promise((resolve) => {
    void page.route(`${REDIRECT_URI}*`, (route) => {
      dashboard.forgive(/127\.0\.0\.1:5555/);
      resolve(new URL(route.request().url()));
      return route.fulfill({ contentType: 'text/html', body: '<title>The app</title>' });
    });
  });
}

it('asks the human, lets the app in to read, lists it, and shuts it out', async () => {
  const { page } = await dashboard.visitor();
  const { clientId, address } = await registerApp('Claude');
  await page.goto(address);
  await page.getByText('An app that calls itself').waitFor();
  await page.getByText('a program on your own machine').first().waitFor();
  await page.getByLabel('Only read').check();
  await shoot(page, 'connect');
  await expectAccessible(page);
  const arrival = arrivalAtApp(page);
  await page.getByRole('button', { name: 'Let it in' }).click();
  const back = (await arrival).searchParams;
  expect(Object.fromEntries(back)).toMatchObject({ state: 'a state', iss: dashboard.url });
  const { connections } = dashboard.kit.engine;
  const tokens = await connections.redeemCode({
    ...{ clientId, redirectUri: REDIRECT_URI, verifier: VERIFIER, code: back.get('code') ?? '' },
  });
  expect(tokens.scope).toBe('read');

  await page.waitForURL(`${REDIRECT_URI}*`);
  await page.goto('/settings?tab=apps');
  const line = page.getByRole('listitem').filter({ hasText: 'Claude' });
  await line.getByText('only reads').waitFor();
  await shoot(page, 'settings-apps');
  await expectAccessible(page);
  await line.getByRole('button', { name: 'Disconnect' }).click();
  await page.getByText('No apps').waitFor();
  await expect(connections.authenticate(tokens.accessToken, `${dashboard.url}/mcp`)).rejects.toThrow();
});

it('sends the browser back without a code when the human says no', async () => {
  const { page } = await dashboard.visitor();
  await page.goto((await registerApp('Claude')).address);
  const arrival = arrivalAtApp(page);
  await page.getByRole('button', { name: 'No', exact: true }).click();
  const { searchParams } = await arrival;
  expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null]);
});

it('comes back to the question after the sign-in', async () => {
  const { email } = await dashboard.visitor();
  const page = await dashboard.window();
  await page.goto((await registerApp('Claude')).address);
  await page.getByLabel('E-mail').fill(email);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: 'Let it in' }).waitFor();
});

it('offers only the way back for a request that is wrong, and nothing for an address that is not the app’s', async () => {
  const { page } = await dashboard.visitor();
  await page.goto((await registerApp('Claude', { code_challenge_method: 'plain' })).address);
  await page.getByText('PKCE is required').waitFor();
  expect(await page.getByRole('button', { name: 'Let it in' }).count()).toBe(0);
  const arrival = arrivalAtApp(page);
  await page.getByRole('button', { name: 'Go back to the app' }).click();
  expect((await arrival).searchParams.get('error')).toBe('invalid_request');

  await page.goto((await registerApp('Claude', { redirect_uri: 'https://evil.example/' })).address);
  await page.getByText('none of the addresses that this app is known by').waitFor();
  expect(await page.getByRole('button', { name: /Let it in|Go back|^No$/ }).count()).toBe(0);
});

it('gives the address that an app asks for where none asks', async () => {
  const { page, context } = await dashboard.visitor({ own: true });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto('/connect');
  await page.getByText('No app asks for anything here').waitFor();
  await page.getByText(`${dashboard.url}/mcp`, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Copy the address' }).click();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${dashboard.url}/mcp`);
  await shoot(page, 'connect-address');
  await expectAccessible(page);
});

it('leads from the memories of an empty agent to connecting it and to an import', async () => {
  const { page } = await dashboard.visitor();
  await page.goto('/memories');
  await page.getByText('No memories yet').waitFor();
  await expectAccessible(page);
  await shoot(page, 'memories-empty');
  await page.locator('main').getByRole('link', { name: 'Import memories' }).click();
  await page.waitForURL('**/import-export');
  await page.goBack();
  await page.locator('main').getByRole('link', { name: 'Connect your agent' }).click();
  await page.getByText(`${dashboard.url}/mcp`).first().waitFor();
});

it('shows a hostile name as text', async () => {
  const { page } = await dashboard.visitor();
  for (const name of Object.values(HOSTILE)) {
    await page.goto((await registerApp(name)).address);
    await page.getByRole('button', { name: 'Let it in' }).waitFor();
    await expectUnharmed(page);
  }
});
