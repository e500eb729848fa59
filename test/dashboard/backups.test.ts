import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPglite } from '@svc-memory/core';
import { checkBackup } from '@svc-memory/core/server';
import { makeDataFolder } from '@svc-memory/core/testing';
import { afterAll, expect, it } from 'vitest';
import { createLocalSignIn } from '../../server/src/accounts/local-owner.ts';
import { BackupFolder } from '../../server/src/backups/backup-folder.ts';
import { OwnerBackups } from '../../server/src/backups/owner-backups.ts';
import { expectAccessible, follow, SIZES, shoot, useDashboard } from './dashboard.fixture.ts';

const folder = await mkdtemp(join(tmpdir(), 'svc-dashboard-backups-'));
await makeDataFolder(folder);
const database = await openPglite(folder, { sync: false });
const { backUp } = database;
if (!backUp) throw new TypeError('a database in a folder can be backed up');
const backups = new OwnerBackups(new BackupFolder(folder, 3), backUp, { info: () => {}, error: () => {} });
const links = createLocalSignIn(() => embedded.kit.engine.accounts.ensureLocalOwner('Wren'));
const embedded = useDashboard(() => ({ backups, localSignIn: links }), { database });
const onServer = useDashboard();
afterAll(() => rm(folder, { recursive: true }));

it('the owner makes a backup, sees that it is verified, and downloads it', async () => {
  const page = await embedded.window();
  await page.goto(links.newLink());
  await follow(page, '/settings?tab=backups');
  await page.getByText('No backups yet').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Make one now' }).press('Enter');
  await page.getByRole('progressbar', { name: 'Progress of the backup' }).waitFor();
  await page.getByText('verified', { exact: true }).waitFor();
  await page.getByText(/^[\d.]+ [kM]B · made by hand$/).waitFor();
  const started = page.waitForEvent('download');
  await page.getByRole('link', { name: /^Download the backup of/ }).press('Enter');
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/-manual\.zip$/);
  await checkBackup(await download.path());
  for (const colors of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: colors });
    await page.setViewportSize(SIZES.phone);
    await shoot(page, `settings-backups-${colors}-phone`);
    await expectAccessible(page);
  }
});

it('another human there is told whom backups are for', async () => {
  const { page } = await embedded.visitor();
  await page.goto('/settings?tab=backups');
  await page.getByText('Backups are for the owner of this service').waitFor();
  expect(await page.getByRole('button', { name: 'Make one now' }).count()).toBe(0);
});

it('where a database server holds the memories the page says how to back them up', async () => {
  const { page } = await onServer.visitor({ size: 'phone' });
  await page.goto('/settings?tab=backups');
  await page.getByText(/^pg_dump/).waitFor();
  await shoot(page, 'settings-backups-server-phone');
  await expectAccessible(page);
});
