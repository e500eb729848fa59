import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tellAda } from './ada.fixture.ts';
import { expectAccessible, PASSWORD, shoot, useDashboard } from './dashboard.fixture.ts';

const dashboard = useDashboard();

const NOTES = `# Orchard

The search index is rebuilt every night at 02:30.

# Weather

The provider answers dates as DD.MM.YYYY since version 3.
`;

it('shows what files would bring, takes them in, and never twice', async () => {
  const { page, agent } = await dashboard.visitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Import & export' }).click();
  await page.getByText('Drop files here').waitFor();
  await shoot(page, 'transfer-light');
  await expectAccessible(page);
  const choose = () =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from(NOTES) });
  await choose();
  await page.getByText('Nothing is written yet').waitFor();
  await page.getByText('DD.MM.YYYY').first().waitFor();
  await shoot(page, 'transfer-preview');
  await expectAccessible(page);
  const before = await agent.status();
  expect(before.counts).toEqual({ core: 0, working: 0, episodic: 0, semantic: 0 });
  await page.getByRole('button', { name: /^Import (it|\d+ memories)$/ }).dblclick();
  await page.getByRole('heading', { name: /^(The import starts|Importing)$/ }).waitFor();
  await dashboard.kit.engine.background.run('jobs.work');
  await page.getByText('Imported', { exact: true }).waitFor();
  expect((await agent.jobs({})).jobs).toHaveLength(1);
  await shoot(page, 'transfer-done');
  await expectAccessible(page);
  const after = await agent.status();
  const total = Object.values(after.counts).reduce((sum, count) => sum + count, 0);
  expect(total).toBeGreaterThan(0);

  await page.getByRole('button', { name: 'Import more' }).click();
  await choose();
  await page.getByRole('button', { name: /^Import (it|\d+ memories)$/ }).click();
  await page.getByRole('heading', { name: /^(The import starts|Importing)$/ }).waitFor();
  await dashboard.kit.engine.background.run('jobs.work');
  await page
    .getByText(/imported before$/)
    .first()
    .waitFor();
  expect((await agent.status()).counts).toEqual(after.counts);

  // Asked again after its answer was lost, it is the same import.
  await page.getByRole('button', { name: 'Import more' }).click();
  await choose();
  const start = page.getByRole('button', { name: /^Import (it|\d+ memories)$/ });
  await page.route(
    /\/import\?dry_run=false/,
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );
  await start.click();
  await page.getByText('The service cannot be reached.').waitFor();
  await start.click();
  await page.getByRole('heading', { name: /^(The import starts|Importing)$/ }).waitFor();
  expect((await agent.jobs({})).jobs).toHaveLength(3);
});

it('says why something cannot be imported, and nothing is written', async () => {
  const { page, agent } = await dashboard.visitor({ colors: 'dark', size: 'phone' });
  await page.goto('/import-export');
  await page.getByRole('tab', { name: 'Another service' }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'export.json', mimeType: 'application/json', buffer: Buffer.from('{"a":') });
  await page.getByRole('alert').getByText('export.json').waitFor();
  await shoot(page, 'transfer-refused-dark-phone');
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'Files' }).click();
  const notes = join(await mkdtemp(join(tmpdir(), 'svc-transfer-')), 'notes.md');
  await writeFile(notes, NOTES);
  await page.locator('input[type=file]').setInputFiles(notes);
  await page.getByText('Nothing is written yet').waitFor();
  await rm(notes);
  await page.getByRole('button', { name: /^Import (it|\d+ memories)$/ }).click();
  await page.getByRole('alert').getByText('A file was changed, moved or deleted').waitFor();
  await page.getByRole('button', { name: 'Choose something else' }).click();
  await page.getByRole('tab', { name: 'Git' }).click();
  await page.getByLabel('Repository').fill('https://127.0.0.1/owner/notes.git');
  await expectAccessible(page);
  await page.getByRole('tab', { name: 'S3' }).click();
  await page.getByLabel('Bucket').waitFor();
  await expectAccessible(page);
  expect((await agent.status()).counts.semantic).toBe(0);
});

it('takes everything out as JSON and as Markdown', async () => {
  const { page, agent } = await dashboard.visitor();
  await tellAda(agent);
  await page.goto('/import-export');
  for (const [name, ending] of [
    ['Download JSON', '.json'],
    ['Download Markdown', '.md'],
  ] as const) {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    const file = await download;
    expect(file.suggestedFilename().endsWith(ending)).toBe(true);
    expect(await readFile(await file.path(), 'utf8')).toContain('Maya approved the hotfix');
  }
});

it.each([
  [429, '{"error":{"code":"RATE_LIMITED","message":"The limit is 60."}}', 'The limit is 60.'],
  [413, '<html>413 Request Entity Too Large</html>', 'A proxy before the service takes nothing that large.'],
  [502, '<html>502 Bad Gateway</html>', 'The service cannot be reached.'],
])('says why the service, or a proxy before it, refused an export: %i', async (status, body, hasText) => {
  const { page } = await dashboard.visitor();
  await page.goto('/import-export');
  await page.route('**/api/v1/export?*', (route) => route.fulfill({ status, body }));
  await page.getByRole('button', { name: 'Download JSON' }).click();
  await page.getByRole('alert').filter({ hasText }).waitFor();
  dashboard.forgive(/502/);
});

it('goes from the sign-up over a memory and an approval to an export', async () => {
  const page = await dashboard.window();
  await page.goto('/sign-up');
  await page.getByLabel('Your name').fill('Grace');
  await page.getByLabel('E-mail').fill('grace-flow@example.com');
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
  const key = (await page.getByText(/^svc_[0-9A-Za-z]{36}$/).textContent()) ?? '';
  await page.getByRole('button', { name: 'Meet my agent' }).click();
  await page.getByText('Connect your agent').waitFor();

  const asAgent = async (method: string, path: string, body: object) => {
    const response = await fetch(`${dashboard.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { memory?: { id: string } };
    return { status: response.status, id: answer.memory?.id ?? '' };
  };
  const { id } = await asAgent('POST', '/memories', {
    type: 'core',
    category: 'identity',
    content: 'I am the gardener of this orchard.',
  });
  await page.getByText('I am the gardener of this orchard.').first().waitFor();
  const asked = await asAgent('PATCH', `/memories/${id}`, {
    content: 'I am the head gardener of this orchard.',
  });
  expect(asked.status).toBe(202);

  await page.getByRole('link', { name: 'Decide' }).click();
  await page.locator('ins', { hasText: 'head' }).waitFor();
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByLabel('Why').fill('Promoted.');
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Nothing waits for you').waitFor();

  await page.getByRole('link', { name: 'Import & export' }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download JSON' }).click();
  const saved = JSON.parse(await readFile(await (await download).path(), 'utf8'));
  expect(saved.export.memories.core.map(({ content }: { content: string }) => content)).toContain(
    'I am the head gardener of this orchard.',
  );
});
