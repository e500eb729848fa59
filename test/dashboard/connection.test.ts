import { connect, createServer } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { listenInTest } from '../kit/use-server.ts';
import { expectAccessible, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

it('says when it is offline, keeps what it has, and catches up', async () => {
  const { page, context, agent } = await dashboard.visitor({ own: true });
  await agent.remember({ type: 'semantic', content: 'Before the storm.' });
  await page.goto('/');
  await page.getByText('Before the storm.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await context.setOffline(true);
  await page.getByText('You are offline').waitFor();
  await page.getByText('Before the storm.').waitFor();
  await shoot(page, 'offline');
  await expectAccessible(page);
  await agent.remember({ type: 'semantic', content: 'During the storm.' });
  await context.setOffline(false);
  await page.getByText('During the storm.').waitFor();
  await page.getByText('You are offline').waitFor({ state: 'detached' });
});

it('keeps two windows through a restart of the service, and catches up in both by itself', async () => {
  const { page, context, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'Before the restart.' });
  const other = await context.newPage();
  await page.goto('/');
  await other.goto('/memories');
  for (const one of [page, other]) {
    await one.getByText('Before the restart.').first().waitFor();
    await one.getByText('Live', { exact: true }).waitFor();
  }
  await dashboard.restart(async () => {
    for (const one of [page, other]) {
      await one.getByText('The service cannot be reached').waitFor();
      await one.getByText('Before the restart.').first().waitFor();
    }
    await agent.remember({ type: 'semantic', content: 'While nobody listened.' });
  });
  const back = performance.now();
  for (const one of [page, other]) await one.getByText('While nobody listened.').first().waitFor();
  process.stdout.write(`Both windows were back after ${Math.round(performance.now() - back)} ms.\n`);
  await page.getByText('The service cannot be reached').waitFor({ state: 'detached' });
});

/** More than the connections that a browser opens to a host over HTTP/1.1. */
const MANY_WINDOWS = 7;

it('keeps more windows live than a browser has connections, also when the one that holds the stream is closed', async () => {
  const { page, context, agent } = await dashboard.visitor();
  await agent.remember({ type: 'semantic', content: 'Before the storm.' });
  const windows = [page];
  while (windows.length < MANY_WINDOWS) windows.push(await context.newPage());
  for (const one of windows) {
    await one.goto('/memories');
    await one.getByText('Before the storm.').waitFor();
    await one.getByText('Live', { exact: true }).waitFor();
  }
  await agent.remember({ type: 'semantic', content: 'During the storm.' });
  for (const one of windows) await one.getByText('During the storm.').waitFor();
  await windows.pop()?.close();
  await agent.remember({ type: 'semantic', content: 'After the storm.' });
  for (const one of windows) await one.getByText('After the storm.').waitFor();
});

/** Has a window believe that it is in sight, or is not: those of a browser without a screen always are. */
const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'))`);

it('goes on with the stream in the window that is looked at, after the last event', async () => {
  const { page, context, agent } = await dashboard.visitor();
  const other = await context.newPage();
  for (const one of [page, other]) {
    await one.goto('/memories');
    await one.getByText('Live', { exact: true }).waitFor();
  }
  await agent.remember({ type: 'semantic', content: 'Before the storm.' });
  await page.getByText('Before the storm.').waitFor();
  await setVisibility(page, 'hidden');
  const taken = page.waitForRequest('**/events/stream');
  await setVisibility(page, 'visible');
  expect((await taken).headers()['last-event-id']).toMatch(/^[0-9a-f-]{36}$/);
  await agent.remember({ type: 'semantic', content: 'After the storm.' });
  for (const one of [page, other]) await one.getByText('After the storm.').waitFor();
});

/** A way to the service on which a connection with a stream can fall silent, as when a machine has slept: nobody closes it. */
async function openSilentWay() {
  const state = { silent: false };
  const server = createServer((client) => {
    const service = connect(Number(new URL(dashboard.url).port), '127.0.0.1');
    let isSilent = false;
    client.on('data', (bytes) => {
      if (state.silent || !bytes.includes('/events/stream')) return;
      streams.push(() => {
        isSilent = true;
      });
    });
    client.pipe(service);
    service.on('data', (bytes) => isSilent || client.write(bytes));
    service.on('close', () => client.destroy());
    client.on('close', () => service.destroy());
    for (const socket of [client, service]) socket.on('error', () => socket.destroy());
  });
  const streams: (() => void)[] = [];
  const { url } = await listenInTest(server);
  return {
    url,
    silence: () => {
      state.silent = true;
      for (const silent of streams) silent();
    },
  };
}

it('notices that the stream is dead though nobody has closed it, and catches up', async () => {
  const way = await openSilentWay();
  const { page, agent } = await dashboard.visitor({ own: true });
  await page.clock.install();
  await page.goto(`${way.url}/memories`);
  await page.getByText('Live', { exact: true }).waitFor();
  way.silence();
  await agent.remember({ type: 'semantic', content: 'While nobody listened.' });
  await page.clock.fastForward(60_000);
  await page.getByText('While nobody listened.').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.close();
  dashboard.forgive(/^foreign: /);
});

it('says long enough that an answer was lost, and does once what is asked again', async () => {
  const { page, agent } = await dashboard.visitor({ own: true });
  await page.clock.install();
  await page.goto('/spaces');
  await page.getByRole('button', { name: 'New space' }).click();
  await page.getByLabel('Name').fill('Orchard');
  await page.route(
    '**/api/v1/spaces',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  const make = page.getByRole('button', { name: 'Make the space' });
  await make.click();
  await page.getByText('No answer came').waitFor();
  // Long enough to read it.
  await page.clock.fastForward(10_000);
  expect(await page.getByText('No answer came').count()).toBe(1);
  // The service has done it: nothing says that it has not.
  expect(await page.getByText('That did not work').count()).toBe(0);
  await make.click();
  await page.getByText('The space is made.').waitFor();
  expect((await agent.spaces()).spaces).toHaveLength(1);
});

it('says what is wrong when a part cannot be read, and tries again', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark' });
  await agent.remember({ type: 'semantic', content: 'Still here.' });
  const refusal = {
    success: false,
    error: { code: 'INTERNAL', message: 'Something went wrong on our side.', request_id: 'r-1' },
  };
  // Until the click: what happens to the agent may have the page ask again by itself.
  const isClicked = () => page.evaluate<boolean>('document.body.dataset.clicked !== undefined');
  await page.route('**/api/v1/dashboard', async (route) =>
    (await isClicked()) ? route.continue() : route.fulfill({ status: 418, json: refusal }),
  );
  await page.goto('/');
  await page.getByText('Something went wrong on our side.').waitFor();
  await page.getByText('Request r-1').waitFor();
  await shoot(page, 'failure-dark');
  await expectAccessible(page);
  await page.evaluate(
    `document.addEventListener('click', () => { document.body.dataset.clicked = ''; }, { capture: true })`,
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Still here.').waitFor();
});

/** What the browser itself says of it. */
const NOT_LOADED = /Unable to preload CSS|Failed to fetch dynamically imported module/;
const PEOPLE_CODE = /\/assets\/people-page-[^/]+\.(?:js|css)$/;

it.each([
  ['en-GB', 'You are offline', 'People'],
  ['de-DE', 'Du bist offline', 'Personen'],
])(
  'says in %s that a page cannot come offline, and shows it by itself afterwards',
  async (language, words, title) => {
    const { page, context } = await dashboard.visitor({ language, own: true });
    await page.goto('/');
    await page.getByText('Live', { exact: true }).waitFor();
    await context.setOffline(true);
    await page.locator('nav a[href="/people"]').click();
    await page.locator('main [role=alert]').getByText(words).waitFor();
    expect(await page.locator('main').textContent()).not.toMatch(/preload|assets|import/);
    await shoot(page, `page-offline-${language}`);
    await expectAccessible(page);
    await context.setOffline(false);
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
    await page.locator('main [role=alert]').waitFor({ state: 'detached' });
    dashboard.forgive(NOT_LOADED);
  },
);

it('loads the page anew once where the code of a page is gone after an update, and never goes round', async () => {
  const { page } = await dashboard.visitor({ own: true });
  let loads = 0;
  page.on('load', () => {
    loads += 1;
  });
  await page.goto('/');
  await page.getByText('Live', { exact: true }).waitFor();
  // As an update does: the page that is loaded names files that the service has no more, the next one others.
  await page.route(PEOPLE_CODE, (route) => route.fulfill({ status: 404, body: 'Not found' }));
  const updated = page.getByText('The service was updated').waitFor();
  await page.locator('nav a[href="/people"]').click();
  await updated;
  await page.getByText('This page could not be loaded').waitFor();
  await expectAccessible(page);
  await page.waitForTimeout(2_500);
  expect(loads).toBe(2);

  await page.unroute(PEOPLE_CODE);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nobody yet').waitFor();
  expect(await page.evaluate('sessionStorage.getItem("svc-reloaded")')).toBeNull();
  dashboard.forgive(NOT_LOADED);
});

it('keeps the page where a dialog of it cannot come', async () => {
  const { page, context, agent } = await dashboard.visitor({ own: true });
  await agent.remember({ type: 'semantic', content: 'Still here.' });
  await page.goto('/');
  await page.getByText('Still here.').waitFor();
  await context.setOffline(true);
  await page.keyboard.press('Control+K');
  await page.getByText('A part of the dashboard could not be loaded').waitFor();
  await page.getByText('Still here.').waitFor();
  dashboard.forgive(NOT_LOADED);
});

it('leaves a session that has ended', async () => {
  const { page, agent } = await dashboard.visitor();
  await agent.remember({ type: 'episodic', content: 'A secret.' });
  await page.goto('/memories');
  await page.getByText('A secret.').waitFor();
  await dashboard.kit.engine.database.accounts.execute('DELETE FROM user_sessions');
  await page.reload();
  await page.waitForURL('**/sign-in**');
  expect(await page.content()).not.toContain('A secret.');
});

it('ends every window of the browser at once when one signs out', async () => {
  const { page, context, agent } = await dashboard.visitor();
  await agent.remember({ type: 'episodic', content: 'A secret.' });
  const other = await context.newPage();
  await other.goto('/memories');
  await other.getByText('A secret.').waitFor();
  await page.goto('/settings?tab=account');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await other.waitForURL('**/sign-in**');
  expect(await other.content()).not.toContain('A secret.');
});

it('can be used by keyboard alone', async () => {
  const { page, agent } = await dashboard.visitor();
  const { memory } = await agent.remember({ type: 'episodic', content: 'Reached by keys.' });
  await page.goto('/memories');
  await page.getByText('Reached by keys.').waitFor();
  await page.keyboard.press('Tab');
  expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the page');
  await page.keyboard.press('Enter');
  const path = `/memories/${memory.id}`;
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await page.evaluate('document.activeElement.getAttribute("href")')) === path) break;
  }
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
  await page.getByRole('button', { name: 'Edit' }).focus();
  await page.keyboard.press('Enter');
  await page.getByLabel('What it says').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('What it says').waitFor({ state: 'detached' });
});

it('says that nobody is signed out where the service was not reached', async () => {
  const { page, context } = await dashboard.visitor({ own: true });
  await page.goto('/settings?tab=account');
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await context.setOffline(true);
  await signOut.click();
  await page.getByText('You are still signed in').waitFor();
  await context.setOffline(false);
  await signOut.click();
  await page.waitForURL('**/sign-in**');
});
