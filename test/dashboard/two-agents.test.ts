import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { follow, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

const AS_THEY_ARE = ['/', '/guardian', '/boot', '/visibility', '/distress'];
const SETTINGS = ['agent', 'keys', 'endpoints', 'protection'].map((tab) => `/settings?tab=${tab}`);
const MEMORIES = ['', '?query=telescope', '?show=map', '?show=archived'].map((view) => `/memories${view}`);

/** Calls about the human, which name no agent. */
const OF_THE_HUMAN = /^\/api\/v1\/(auth\/|agents$|health$)/;

it('names the chosen agent in every call: reads, the live stream, downloads and uploads', async () => {
  const { page, context } = await dashboard.visitor({ own: true });
  const make = (display_name: string) =>
    context.request.post('/api/v1/agents', { data: { display_name }, headers: { Origin: dashboard.url } });
  const made = await make('Grace');
  for (let number = 1; number <= 30; number += 1) await make(`Agent ${number}`);
  const chosen: string = (await made.json()).agent.id;
  const grace = dashboard.kit.engine.agent(chosen);
  await grace.remember({ type: 'semantic', content: 'The telescope is on the roof.' });

  const calls: { readonly call: string; readonly agent: string | undefined }[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/v1/') || OF_THE_HUMAN.test(pathname)) return;
    calls.push({ call: `${request.method()} ${pathname}`, agent: request.headers()['x-svc-tenant'] });
  });
  await page.addInitScript(`localStorage.setItem('svc-agent', '${chosen}')`);

  for (const path of [...AS_THEY_ARE, ...MEMORIES, ...SETTINGS]) {
    await follow(page, path);
    await page.locator('main h1').waitFor();
    await page.locator('main .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  }

  await follow(page, '/import-export');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  expect(await readFile(await (await download).path(), 'utf8')).toContain('The telescope is on the roof.');
  await page.locator('input[type=file]').setInputFiles({
    name: 'notes.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Moon\n\nIt is full.'),
  });
  await page.getByText('Nothing is written yet').waitFor();
  await page.getByRole('button', { name: /^Import (it|\d+ memories)$/ }).click();
  await page.getByRole('heading', { name: /^(The import starts|Importing)$/ }).waitFor();
  await dashboard.kit.engine.background.run('jobs.work');
  await page.getByText('Imported', { exact: true }).waitFor();
  expect((await grace.query({ limit: 10 })).memories.map(({ content }) => content).join()).toContain('full');

  // What a page holds of one agent goes into no other: the preview of an import.
  await page.getByRole('button', { name: 'Import more' }).click();
  await page.locator('input[type=file]').setInputFiles({
    name: 'private.md',
    mimeType: 'text/markdown',
    buffer: Buffer.from('# Sun\n\nIt is hot.'),
  });
  await page.getByText('Nothing is written yet').waitFor();
  const named = calls.length;
  await page.getByRole('button', { name: /^Grace/ }).click();
  const menu = await page.getByRole('menu').boundingBox();
  expect((menu?.y ?? 0) + (menu?.height ?? 0)).toBeLessThan(page.viewportSize()?.height ?? 0);
  await page.getByRole('menuitem', { name: /^Ada/ }).click();
  await page.getByText('Drop files here').waitFor();
  await page.getByRole('button', { name: /^Ada (Live|Connecting)/ }).click();
  await page.getByRole('menuitem', { name: /^Grace/ }).click();
  await page.getByText('Drop files here').waitFor();

  const names = calls.map(({ call }) => call);
  for (const call of ['GET /api/v1/events/stream', 'GET /api/v1/export', 'POST /api/v1/import']) {
    expect(names).toContain(call);
  }
  expect(calls.slice(0, named).filter(({ agent }) => agent !== chosen)).toEqual([]);
});

it('a window stays with its agent when it is loaded anew, whatever another window has chosen since', async () => {
  const { page, context } = await dashboard.visitor();
  const made = { data: { display_name: 'Grace' }, headers: { Origin: dashboard.url } };
  await context.request.post('/api/v1/agents', made);
  await page.goto('/settings');
  const own = page.getByRole('button', { name: /^Ada.*Live/ });
  await own.waitFor();
  const other = await context.newPage();
  await other.goto('/settings');
  await other.getByRole('button', { name: 'Switch to it' }).click();
  await other.getByRole('button', { name: /^Grace/ }).waitFor();
  await page.reload();
  await own.waitFor();
  // A new window begins with the agent that was chosen last.
  const next = await context.newPage();
  await next.goto('/settings');
  await next.getByRole('button', { name: /^Grace/ }).waitFor();
});
